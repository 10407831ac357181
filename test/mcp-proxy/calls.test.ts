import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/call/json.ts';
import { type Called, Folder, proxyArgs, RawClient } from './raw-client.ts';

let folder: Folder;
const clients: RawClient[] = [];

beforeEach(() => {
  folder = new Folder();
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.leave();
  folder.remove();
});

async function connect(...options: readonly string[]): Promise<RawClient> {
  const client = new RawClient(proxyArgs(folder.path, ...options));
  clients.push(client);
  await client.initialize({ sampling: {} });
  return client;
}

async function configured(config: JsonObject, ...options: readonly string[]): Promise<RawClient> {
  const path = folder.write('proxy.json', JSON.stringify(config));
  return await connect('--config', path, ...options);
}

const pay = '{"amount":2000}';

describe('a write that goes well', () => {
  it('has the content of the server, and the outcome beside it', async () => {
    const client = await connect();
    const { result, outcome } = await client.call('pay', pay);
    expect(outcome).toBe('ok');
    expect(result.content).toEqual([{ type: 'text', text: 'did pay {"amount":2000}' }]);
    expect(result.structuredContent).toMatchObject({
      outcome: 'ok',
      data: 'did pay {"amount":2000}',
    });
  });

  it('is told again where it is called again, and done once', async () => {
    const client = await connect();
    await client.call('pay', pay);
    const { result, outcome, text } = await client.call('pay', '{ "amount": 2000.0 }');
    expect(outcome).toBe('already_done');
    expect(result.isError).toBe(false);
    expect(text).toContain('did pay {\\"amount\\":2000}');
    expect(folder.effects).toBe(1);
  });

  it('is another intent with other arguments, and in another scope', async () => {
    const client = await connect();
    await client.call('pay', pay);
    await client.call('pay', '{"amount":1999}');
    const other = await connect('--scope', 'other');
    expect((await other.call('pay', pay)).outcome).toBe('ok');
    expect(folder.effects).toBe(3);
  });

  it('with an output schema keeps its structure, also where it is told again', async () => {
    const client = await connect();
    const first = await client.call('shaped', pay);
    expect(first.result.structuredContent).toEqual({ paid: 2000 });
    expect(first.outcome).toBe('ok');
    const again = await client.call('shaped', pay);
    expect(again.result.structuredContent).toEqual({ paid: 2000 });
    expect(again.outcome).toBe('already_done');
    expect(again.result.isError).toBe(false);
  });

  it('keeps every digit of the answer, now and later', async () => {
    folder.behave('big');
    const client = await connect();
    const first = await client.call('pay', pay);
    expect(first.text).toContain('"structuredContent":{"n":9007199254740993}');
    expect(first.text).toContain('{ "a" : 1.0 ,"forthright/result":');
    const again = await client.call('pay', pay);
    expect(again.outcome).toBe('already_done');
    expect(folder.effects).toBe(1);
  });
});

describe('an answer that does not come', () => {
  it('is unknown and no error, then still_confirming; the late answer settles it', async () => {
    folder.behave('late');
    const client = await connect('--timeout', '300');
    const first = await client.call('pay', pay);
    expect(first).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(first.result.isError).toBe(false);
    expect(first.message.error).toBeUndefined();
    expect(await client.call('pay', pay)).toMatchObject({ code: 'still_confirming' });
    folder.release();
    const now = await settled(client);
    expect(now.outcome).toBe('already_done');
    expect(now.text).toContain('did pay');
    expect(folder.effects).toBe(1);
  });

  it('is an error to clients only where an output schema leaves them nothing else', async () => {
    folder.behave('stall_after');
    const client = await connect('--timeout', '300');
    const { result, outcome } = await client.call('shaped', pay);
    expect(outcome).toBe('unknown');
    expect(result.structuredContent).toBeUndefined();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('it may have happened');
  });

  it.each([
    ['die_before', 0],
    ['die_after', 1],
    ['stall_before', 0],
    ['stall_after', 1],
  ])('%s: unknown, and the same call sends nothing more', async (behaviour, effects) => {
    folder.behave(behaviour);
    const client = await connect('--timeout', '300');
    expect((await client.call('pay', pay)).outcome).toBe('unknown');
    folder.behave('answer');
    expect(await client.call('pay', pay)).toMatchObject({ code: 'still_confirming' });
    await client.leave();
    const next = await connect();
    expect(await next.call('pay', pay)).toMatchObject({ code: 'still_confirming' });
    expect((await next.call('pay', '{"amount":1}')).outcome).toBe('ok');
    expect(folder.effects).toBe(effects + 1);
  });

  it('closes a lane that is named', async () => {
    folder.behave('stall_after');
    const client = await configured({ timeoutMs: 300, tools: { pay: { lane: 'account' } } });
    await client.call('pay', pay);
    expect(await client.call('pay', '{"amount":1}')).toMatchObject({ code: 'lane_unsettled' });
    expect(folder.effects).toBe(1);
  });
});

describe('a server that ends', () => {
  it('is started again, introduced again, and its lists are said to have changed', async () => {
    folder.behave('die_answered');
    const client = await connect();
    const before = folder.received.filter((line) => line.includes('"initialize"'));
    expect((await client.call('pay', pay)).outcome).toBe('ok');
    await client.until(({ method }) => method === 'notifications/tools/list_changed');
    folder.behave('answer');
    expect((await client.call('pay', '{"amount":1}')).outcome).toBe('ok');
    const [first, second] = folder.received.filter((line) => line.includes('"initialize"'));
    expect(before).toEqual([first]);
    const withoutId = (line = ''): object => ({ ...(JSON.parse(line) as object), id: 0 });
    expect(withoutId(second)).toEqual(withoutId(first));
    const introduced = folder.received.filter((line) => line.includes('/initialized'));
    expect(introduced).toHaveLength(2);
    expect(folder.effects).toBe(2);
  });

  it('answers what was passed on to it, and takes back what it had asked', async () => {
    const client = await connect();
    const asking = client.send('ask', '{}');
    await client.until(({ method }) => method === 'sampling/createMessage');
    process.kill(folder.serverPid, 'SIGKILL');
    expect((await client.answer(asking)).result.isError).toBe(true);
    const cancelled = await client.until(({ method }) => method === 'notifications/cancelled');
    expect(JSON.parse(cancelled)).toMatchObject({ params: { requestId: 0 } });
    // The new server asks under the same id, and must not get the old one's answer.
    await client.until(({ method }) => method === 'notifications/tools/list_changed');
    const from = client.said.length;
    const again = client.send('ask', '{}');
    const asked = await client.until(({ method }) => method === 'sampling/createMessage', from);
    const { id } = JSON.parse(asked) as JsonObject;
    expect(id).not.toBe(0);
    client.write('{"jsonrpc":"2.0","id":0,"result":{"old":true}}');
    client.write(JSON.stringify({ jsonrpc: '2.0', id, result: { new: true } }));
    expect((await client.answer(again)).text).toContain('new');
  });
});

describe('two proxies on one ledger', () => {
  it('do one write between them', async () => {
    const both = [await connect(), await connect()];
    const told = await Promise.all(both.map((client) => client.call('pay', pay)));
    expect(told.map(({ outcome }) => outcome)).toContain('ok');
    expect(folder.effects).toBe(1);
  });
});

describe.each(['v1', 'v2'])('the client of %s', (version) => {
  it('takes every outcome, with an output schema too', async () => {
    const [command = '', ...args] = [
      process.execPath,
      ...proxyArgs(folder.path, '--timeout', '300'),
    ];
    const identity = { name: 'c', version: '1' };
    const client = version === 'v1' ? new Client(identity) : new ClientV2(identity);
    const Transport = version === 'v1' ? StdioClientTransport : StdioV2;
    await (client as Client).connect(new Transport({ command, args, stderr: 'ignore' }));
    try {
      await client.listTools();
      const outcomes: unknown[] = [];
      for (const behaviour of ['stall_after', 'answer', 'error', 'refuse', 'deny']) {
        folder.behave(behaviour);
        const amount = outcomes.length;
        for (const name of ['shaped', 'shaped', 'pay']) {
          const result = await client.callTool({ name, arguments: { amount } });
          const told = (result._meta as Record<string, JsonObject>)['forthright/result'];
          outcomes.push(told?.outcome);
          const { paid } = (result.structuredContent ?? {}) as JsonObject;
          if (name === 'shaped') expect(paid).toBe(behaviour === 'answer' ? amount : undefined);
        }
      }
      expect(outcomes).toEqual([
        ...['unknown', 'unknown', 'unknown'],
        ...['ok', 'already_done', 'ok'],
        ...['unknown', 'unknown', 'unknown'],
        // Invalid params may be said of what a tool with an output schema has answered.
        ...['unknown', 'unknown', 'failed'],
        ...['failed', 'failed', 'failed'],
      ]);
    } finally {
      await client.close();
    }
  });
});

describe('a proxy that is killed', () => {
  it.each(['answer', 'late', 'stall_before'])(
    'while the server would %s: the next one sends nothing twice',
    async (behaviour) => {
      folder.behave(behaviour);
      const client = await connect();
      const id = client.send('pay', pay);
      if (behaviour === 'answer') await client.answer(id);
      else {
        await untilTrue(() => folder.received.some((line) => line.includes('"amount":2000')));
      }
      client.child.kill('SIGKILL');
      await client.ended();
      const effects = folder.effects;
      folder.behave('answer');
      const next = await connect();
      const { outcome } = await next.call('pay', pay);
      // Until its lease is over, the first attempt is taken to live.
      expect(outcome).toBe(behaviour === 'answer' ? 'already_done' : 'skipped');
      expect(folder.effects).toBe(effects);
    },
  );
});

describe('what the server says to a write', () => {
  it('a refusal before the tool ran is failed, and may be tried again', async () => {
    folder.behave('refuse');
    const client = await connect();
    const first = await client.call('pay', pay);
    expect(first).toMatchObject({ outcome: 'failed', code: 'rejected' });
    expect(first.result.isError).toBe(true);
    expect(first.text).toContain('the amount is odd');
    folder.behave('answer');
    expect((await client.call('pay', pay)).outcome).toBe('ok');
  });

  it.each(['error', 'break'])('%s is no proof that nothing changed', async (behaviour) => {
    folder.behave(behaviour);
    const client = await connect();
    const first = await client.call('pay', pay);
    expect(first).toMatchObject({ outcome: 'unknown', code: 'error_answer' });
    expect(first.text).toContain(behaviour === 'error' ? 'no funds' : 'something broke');
    folder.behave('answer');
    expect(await client.call('pay', pay)).toMatchObject({ code: 'still_confirming' });
    expect((await client.call('pay', '{"amount":1}')).outcome).toBe('ok');
  });

  it('a refusal is no proof where the server may mean what the tool has answered', async () => {
    // As SDK 1.20 says of structured content that its schema promises and that is not there.
    folder.behave('misshape');
    const client = await connect();
    const first = await client.call('shaped', pay);
    expect(first).toMatchObject({ outcome: 'unknown', code: 'error_answer' });
    expect(first.text).toContain('no structured content was provided');
    expect(folder.effects).toBe(1);
    expect(await client.call('shaped', pay)).toMatchObject({ code: 'still_confirming' });
    expect(folder.effects).toBe(1);
  });

  it('an error is failed where whoever knows the server says that it means so', async () => {
    folder.behave('error');
    const client = await configured({ errorMeans: 'nothing_changed' });
    expect((await client.call('pay', pay)).outcome).toBe('failed');
    folder.behave('answer');
    expect((await client.call('pay', pay)).outcome).toBe('ok');
  });

  it('a wish for input goes to the client, and the call may come again with it', async () => {
    folder.behave('input');
    const client = await connect();
    const first = await client.call('pay', pay);
    expect(first.result).toEqual({ resultType: 'input_required', requestState: 'x' });
    folder.behave('answer');
    expect((await client.call('pay', pay, ',"requestState":"x"')).outcome).toBe('ok');
    expect(folder.received.at(-1)).toContain('"requestState":"x"');
  });

  it('a task goes on, and its result settles the write', async () => {
    const client = await connect();
    const first = await client.call('pay', pay, ',"task":{}');
    expect(first.result.task).toMatchObject({ taskId: 't1' });
    expect(first).toMatchObject({ outcome: 'unknown', code: 'accepted_not_done' });
    const again = await client.call('pay', pay, ',"task":{}');
    expect(again.text).toContain('still_confirming');
    client.write('{"jsonrpc":"2.0","id":"r","method":"tasks/result","params":{"taskId":"t1"}}');
    await client.until(({ id }) => id === 'r');
    const now = await settled(client);
    expect(now.outcome).toBe('already_done');
    expect(now.text).toContain('the task is done');
    expect(folder.effects).toBe(1);
  });
});

describe('decoding', () => {
  it('refuses by name, and the server hears nothing of it', async () => {
    const client = await connect();
    const refused = {
      '{"amount":9007199254740993}': 'unsafe_number',
      '{"amount":1,"amount":2}': 'duplicate_key',
      '{"amount":1,"__proto__":{}}': 'forbidden_key',
      '{"amount":"1"}': 'invalid_argument_shape',
      '{}': 'missing_argument',
      '{"amount":1,"amonut":2}': 'unexpected_argument',
      '{"amount":01}': 'invalid_json',
      '[1]': 'invalid_json',
      '{"amount":1e999}': 'unsafe_number',
      '{"amount":1,"note":"\\ud800"}': 'invalid_unicode',
    };
    for (const [args, code] of Object.entries(refused)) {
      const told = await client.call('pay', args);
      expect({ args, outcome: told.outcome, code: told.code }).toEqual({
        args,
        outcome: 'failed',
        code,
      });
      expect(told.result.isError).toBe(true);
    }
    expect(folder.received.some((line) => line.includes('tools/call'))).toBe(false);
  });

  it('keeps strict JSON for a tool whose schema cannot be enforced', async () => {
    const client = await connect();
    expect((await client.call('odd.tool/1', '{"a":null}')).outcome).toBe('ok');
    expect(await client.call('odd.tool/1', '{"a":1,"a":2}')).toMatchObject({
      code: 'duplicate_key',
    });
    expect(client.stderr).toContain('odd.tool/1: its schema cannot be enforced');
  });

  it('leaves open what a server leaves open', async () => {
    const client = await connect();
    expect((await client.call('free', '{"anything":[1]}')).outcome).toBe('ok');
  });

  it('tells tools apart that differ only in case', async () => {
    const client = await connect();
    expect((await client.call('pay', pay)).outcome).toBe('ok');
    expect((await client.call('Pay', pay)).outcome).toBe('ok');
    expect(folder.effects).toBe(2);
  });

  it('sends the text of the arguments as it came', async () => {
    const client = await connect();
    await client.call('free', '{ "b" : 1.0, "a":"\\u00e9" , "c":1e2}', ',"_meta":{"x":1.50}');
    const sent = folder.received.find((line) => line.includes('tools/call')) ?? '';
    expect(sent).toContain('"arguments":{ "b" : 1.0, "a":"\\u00e9" , "c":1e2},"_meta":{"x":1.50}');
  });

  it('answers what is no message, and goes on', async () => {
    const client = await connect();
    const broken: readonly (readonly [string, number])[] = [
      ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"pay"', -32_700],
      ['{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/call"}', -32_600],
      ['{"jsonrpc":"2.0","id":5}', -32_600],
      ['{"id":5,"method":"tools/call","params":{"name":"pay","name":"set"}}', -32_602],
      ['{"id":5,"method":"tools/call","params":{"arguments":{}}}', -32_602],
      ['nonsense', -32_700],
    ];
    for (const [text, code] of broken) {
      const from = client.said.length;
      client.write(text);
      const answer = await client.until(({ error }) => error !== undefined, from);
      expect([text, JSON.parse(answer)]).toMatchObject([text, { error: { code } }]);
    }
    expect((await client.call('pay', pay)).outcome).toBe('ok');
    expect(folder.effects).toBe(1);
  });
});

describe('a read', () => {
  it('is answered as it is', async () => {
    const client = await connect();
    const { message } = await client.call('look', '{}');
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '{"count":0,"effects":[]}' }] },
    });
  });

  it('passes progress on, and its cancellation to the server', async () => {
    const client = await connect();
    const id = client.send('slow', '{}', ',"_meta":{"progressToken":"p"}');
    await client.until(({ method }) => method === 'notifications/progress');
    client.write(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
    );
    await untilTrue(() => folder.received.some((line) => line.includes('/cancelled')));
    const sent = folder.received.find((line) => line.includes('"slow"')) ?? '';
    const told = folder.received.find((line) => line.includes('/cancelled')) ?? '';
    expect((JSON.parse(told) as { params: JsonObject }).params.requestId).toBe(
      (JSON.parse(sent) as JsonObject).id,
    );
    expect(client.said.some((line) => (JSON.parse(line) as JsonObject).id === id)).toBe(false);
  });

  it('that takes too long is told so', async () => {
    const client = await connect('--timeout', '200');
    const { text, outcome, code } = await client.call('slow', '{}');
    expect({ outcome, code }).toEqual({ outcome: 'failed', code: 'read_timeout' });
    expect(text).toContain('nothing was changed');
  });

  it('asks the client through the proxy', async () => {
    const client = await connect();
    const id = client.send('ask', '{}');
    const asked = await client.until(({ method }) => method === 'sampling/createMessage');
    const question = JSON.parse(asked) as JsonObject;
    client.write(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { model: 'm' } }));
    expect((await client.answer(id)).text).toContain('{\\"model\\":\\"m\\"}');
  });
});

describe('a cancelled write', () => {
  it('that has been sent goes on, and is told to whoever asks again', async () => {
    folder.behave('late');
    const client = await connect();
    const id = client.send('pay', pay);
    await untilTrue(() => folder.effects === 1);
    client.write(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
    );
    folder.release();
    const now = await settled(client);
    expect(now.outcome).toBe('already_done');
    expect(folder.effects).toBe(1);
    expect(folder.received.some((line) => line.includes('/cancelled'))).toBe(false);
  });
});

describe('the configuration', () => {
  it('says what decides, and what only describes', async () => {
    const client = await configured({ tools: { pay: { key: { ignore: ['note'] } } } });
    await client.call('pay', '{"amount":1,"note":"a"}');
    expect((await client.call('pay', '{"amount":1,"note":"b"}')).outcome).toBe('already_done');
    const other = await configured({ scope: 'b', tools: { pay: { key: { only: ['amount'] } } } });
    await other.call('pay', '{"amount":1,"note":"a"}');
    expect(await other.call('pay', '{"amount":1,"note":"b"}')).toMatchObject({
      code: 'already_done',
    });
    expect(folder.effects).toBe(2);
  });

  it('makes a tool a read, by its own name or by a pattern', async () => {
    const client = await configured({ reads: ['p*'], tools: { set: { effect: 'read' } } });
    for (const name of ['pay', 'set']) {
      await client.call(name, pay);
      expect((await client.call(name, pay)).outcome).toBeUndefined();
    }
    expect(folder.effects).toBe(4);
    expect(existsSync(join(folder.path, 'ledger.db'))).toBe(true);
  });

  it('settles what is unsettled by a read tool', async () => {
    const reconcile = {
      tool: 'look',
      happened: [{ at: '/json/effects', contains: { amount: '{amount}' } }],
    };
    folder.behave('die_after');
    const client = await configured({ tools: { pay: { reconcile } } });
    expect((await client.call('pay', pay)).outcome).toBe('unknown');
    folder.behave('answer');
    const now = await settled(client);
    expect(now.outcome).toBe('already_done');
    expect(now.text).toContain('confirmed to have happened');
    expect(folder.effects).toBe(1);
  });

  it('asks no tool that writes', async () => {
    const happened = [{ at: '/text', contains: 'did set' }];
    const reconcile = { tool: 'set', arguments: { amount: 1 }, happened };
    folder.behave('error');
    const client = await configured({ tools: { pay: { reconcile } } });
    await client.call('pay', pay);
    folder.behave('answer');
    await client.call('pay', pay);
    await client.call('look', '{}');
    expect((await client.call('pay', pay)).code).toBe('still_confirming');
    expect(folder.effects).toBe(0);
    expect(client.stderr).toContain('set writes; it will not be asked');
  });

  it('lets a tool that is set again be set again', async () => {
    const client = await connect();
    await client.call('set', pay);
    await client.call('set', '{"amount":1}');
    expect((await client.call('set', pay)).outcome).toBe('ok');
    expect(folder.effects).toBe(3);
  });

  it('forgets a write after its replay window', async () => {
    const client = await configured({ tools: { pay: { replayMs: 1 } } });
    await client.call('pay', pay);
    await pause(10);
    expect((await client.call('pay', pay)).outcome).toBe('ok');
    expect(folder.effects).toBe(2);
  });

  it('asks the user before a wanted second one', async () => {
    const path = folder.write('proxy.json', JSON.stringify({ tools: { pay: { repeat: true } } }));
    const client = new RawClient(proxyArgs(folder.path, '--config', path));
    clients.push(client);
    await client.initialize({ elicitation: {} });
    client.write('{"jsonrpc":"2.0","id":"l","method":"tools/list"}');
    const list = await client.until(({ id }) => id === 'l');
    expect(list).toContain('"occurrence"');
    await client.call('pay', pay);
    const second = '{"amount":2000,"occurrence":2}';
    for (const [action, again] of [
      ['decline', true],
      ['accept', false],
      ['accept', true],
    ] as const) {
      const from = client.said.length;
      const id = client.send('pay', second);
      const asked = await client.until(({ method }) => method === 'elicitation/create', from);
      const question = JSON.parse(asked) as JsonObject;
      const result = { action, content: { again } };
      client.write(JSON.stringify({ jsonrpc: '2.0', id: question.id, result }));
      const told = await client.answer(id);
      const isWanted = action === 'accept' && again;
      expect(told.code).toBe(isWanted ? 'done' : 'repeat_not_allowed');
    }
    expect(folder.effects).toBe(2);
    expect(folder.received.at(-1)).toContain('"arguments":{"amount":2000}}');
  });

  it('does not repeat where the client cannot ask the user', async () => {
    const client = await configured({ tools: { pay: { repeat: true } } });
    await client.call('pay', pay);
    const told = await client.call('pay', '{"amount":2000,"occurrence":2}');
    expect(told.code).toBe('repeat_not_allowed');
    expect(folder.effects).toBe(1);
  });

  it('adds check_write where it is asked to', async () => {
    folder.behave('stall_after');
    const client = await configured({ checkWrite: true, timeoutMs: 300 });
    client.write('{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{"cursor":"3"}}');
    expect(await client.until(({ id }) => id === 'l')).toContain('"check_write"');
    const { result } = await client.call('pay', pay);
    const { ref } = result.structuredContent as JsonObject;
    const told = await client.call('check_write', JSON.stringify({ ref: ref ?? null }));
    expect(told.text).toContain('not confirmed yet');
  });
});

/** Calls again until it is known what became of the first call. */
async function settled(client: RawClient): Promise<Called> {
  for (let n = 0; n < 500; n++) {
    const now = await client.call('pay', pay);
    if (now.outcome !== 'unknown' && now.outcome !== 'skipped') return now;
    await pause(20);
  }
  throw new Error('It was never settled.');
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  for (let n = 0; n < 2000; n++) {
    await pause(10);
    if (isTrue()) return;
  }
  throw new Error('It did not come to be.');
}
