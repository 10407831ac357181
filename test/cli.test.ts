import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireKey } from '../src/key/key.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { runCli, startCli } from './support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

describe('forthright', () => {
  it('lists its commands', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['decode', 'canonicalize', 'ledger list', 'ledger show']) {
      expect(stdout).toContain(`\n  ${command} `);
    }
  });

  it('says its version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([['decode'], ['canonicalize'], ['ledger', 'list'], ['ledger', 'show'], ['proxy']])(
    'explains %s %s',
    async (...command) => {
      const { code, stdout, stderr } = await runCli([...command, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: forthright ${command.join(' ')} `);
      expect(stdout).toContain('Exit codes: 0');
    },
  );

  it.each<[string[], RegExp]>([
    [[], /a command is missing/],
    [['decod'], /no command "decod"/],
    [['ledger'], /ledger takes list or show or settle or purge/],
    [['ledger', 'burn'], /ledger takes list or show or settle or purge/],
    [['decode'], /--tools is missing/],
    [['decode', '--tool', 'x'], /Unknown option '--tool'/],
    [['decode', '--tools', 'x', 'calls.jsonl'], /Unexpected argument "calls\.jsonl"/],
    [['decode', '--tools', 'x', '--max-depth', '0'], /--max-depth takes .* 1 to 1000/],
    [['decode', '--tools', 'x', '--max-length', '1e9'], /--max-length takes/],
    [['canonicalize', '--max-depth', '1001'], /--max-depth takes .* 1 to 1000/],
    [['ledger', 'list'], /LEDGER is missing/],
    [['ledger', 'list', 'x', '--state', 'lost'], /--state takes one of claimed/],
    [['ledger', 'show', 'x'], /KEY is missing/],
    [['ledger', 'show', 'x', 'abc'], /KEY takes 6 to 64 hexadecimal digits/],
    [['ledger', 'show', 'x', 'abcdefg'], /KEY takes/],
  ])('%j is refused with exit code 2, on standard error only', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('forthright decode', () => {
  const tools = join(folder, 'tools.json');
  writeFileSync(
    tools,
    JSON.stringify([
      {
        name: 'refund_order',
        inputSchema: {
          type: 'object',
          properties: {
            orderId: { type: 'integer' },
            reason: { type: 'string', format: 'shout' },
          },
          required: ['orderId'],
          additionalProperties: false,
        },
      },
      { name: 'ping', inputSchema: { type: 'object', properties: {} } },
    ]),
  );
  const call = (text: unknown, name: unknown = 'refund_order'): string =>
    JSON.stringify({ name, arguments: text });

  it('answers each line in order, in one shape, and goes on after a bad one', async () => {
    const lines: [string | Buffer, object][] = [
      [call('{"orderId": 4512}'), { ok: true, name: 'refund_order', input: { orderId: 4512 } }],
      [call('', 'ping'), { ok: true, name: 'ping', input: {} }],
      [call('{"orderId": "4512"}'), refused('invalid_argument_shape')],
      [call('{"orderId": 1, "orderId": 2}'), refused('duplicate_key')],
      [call('{"orderId": 9007199254740993}'), refused('unsafe_number')],
      [call('{"orderId": 45'), refused('invalid_json')],
      [call('{}', 'refund_orders'), refused('unknown_tool')],
      [call({ orderId: 4512 }), refused('invalid_json')],
      [call(undefined), refused('invalid_json')],
      [call('{}', 7), refused('unknown_tool')],
      ['{"arguments": "{}"}', refused('unknown_tool')],
      ['{}', refused('unknown_tool')],
      ['not JSON', refused('invalid_json', 13)],
      ['["refund_order"]', refused('invalid_json', 14)],
      ['null', refused('invalid_json', 15)],
      ['{"name":"ping","name":"ping","arguments":""}', refused('duplicate_key', 16)],
      ['{"name":"ping","arguments":"","\\u0061rguments":"{"}', refused('duplicate_key', 17)],
      [
        '{"name":"refund_order","arguments":"{\\"reason\\":\\"\\ud800\\"}"}',
        refused('invalid_unicode'),
      ],
      [Buffer.from('{"name":"\u00ff"}', 'latin1'), refused('invalid_unicode', 19)],
      [
        `{"name":"ping","more":${'['.repeat(2000)}${']'.repeat(2000)}}`,
        refused('arguments_too_deep', 20),
      ],
      [call(`{"orderId":1,"a":${'['.repeat(64)}${']'.repeat(64)}}`), refused('arguments_too_deep')],
      [call('{"orderId": 1}'), { ok: true, name: 'refund_order', input: { orderId: 1 } }],
    ];
    const input = Buffer.concat(lines.flatMap(([line]) => [Buffer.from(line), Buffer.from('\n')]));
    const { code, stdout, stderr } = await runCli(['decode', '--tools', tools], input);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(lines.length);
    for (const [index, [line, expected]] of lines.entries()) {
      expect(answers[index], `${line}`).toMatchObject(expected);
    }
    expect(code).toBe(0);
    expect(stderr).toContain('refund_order: ');
    expect(stderr).toContain('shout');
  });

  it('tells the model what to do about it', async () => {
    const { stdout } = await runCli(['decode', '--tools', tools], `\n \n${call('{"reason":"x"}')}`);
    const answer = JSON.parse(stdout);
    expect(answer.error).toMatchObject({ tool: 'refund_order', received: '{"reason":"x"}' });
    expect(answer.result).toMatchObject({
      outcome: 'failed',
      code: 'missing_argument',
      outputs: { toolName: 'refund_order', parameterName: 'orderId' },
    });
    expect(answer.result.nextActions.length).toBeGreaterThan(0);
  });

  it('holds text to the limits that are given', async () => {
    const args = ['decode', '--tools', tools, '--max-length', '20', '--max-depth', '1'];
    const long = call(`{"orderId": 1}${' '.repeat(7)}`);
    const deep = call('{"orderId": [1]}');
    const good = call('{"orderId": 1}      ');
    const veryLong = call('x'.repeat(70_000));
    const { stdout } = await runCli(args, [long, deep, good, veryLong, good].join('\n'));
    const codes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error?.code ?? 'ok');
    expect(codes).toEqual([
      'arguments_too_large',
      'arguments_too_deep',
      'ok',
      'arguments_too_large',
      'ok',
    ]);
  });

  it('answers a line before the next one comes', async () => {
    const child = startCli(['decode', '--tools', tools]);
    const stdout = child.stdout.setEncoding('utf8');
    for (let orderId = 1; orderId <= 3; orderId += 1) {
      child.stdin.write(`${call(`{"orderId": ${orderId}}`)}\n`);
      const [line] = (await once(stdout, 'data')) as [string];
      expect(JSON.parse(line)).toMatchObject({ ok: true, input: { orderId } });
    }
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  it('writes no more than its reader takes, and loses nothing', async () => {
    const child = startCli(['decode', '--tools', tools]);
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, index) => call(`{"orderId": ${index}}`));
    child.stdin.end(`${lines.join('\n')}\n`);
    // Nobody reads until it has had to wait.
    await once(child.stdout, 'readable');
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).input.orderId);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  it('ends quietly when its reader goes away', async () => {
    const child = startCli(['decode', '--tools', tools]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => {});
    const feed = `${call('{"orderId": 1}')}\n`.repeat(1000);
    child.stdin.write(feed);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    for (let turn = 0; turn < 100 && child.stdin.writable; turn += 1) child.stdin.write(feed);
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error/);
  });

  it('refuses tools that cannot be used, by name', async () => {
    const bad = join(folder, 'bad.json');
    writeFileSync(bad, JSON.stringify([{ name: 'math.add', schema: { type: 'object' } }]));
    const { code, stdout, stderr } = await runCli(['decode', '--tools', bad], call('{}'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/bad\.json: tool "math\.add": its name must be/);
  });
});

function refused(code: string, line?: number): object {
  return {
    ok: false,
    error: { code, defects: [{ code }] },
    result: { outcome: 'failed', code, ...(line === undefined ? {} : { outputs: { line } }) },
  };
}

describe('forthright canonicalize', () => {
  it('writes exactly the canonical bytes', async () => {
    const { code, stdout, stderr } = await runCli(
      ['canonicalize'],
      ' { "b": [4.50, -0, 1E3], "\u20ac": "\\u0041\\/", "a": null }\n',
    );
    const canonical = '{"a":null,"b":[4.5,0,1000],"\u20ac":"A/"}';
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: canonical, stderr: '' });
    const hash = createHash('sha256').update(stdout).digest('hex');
    expect(hash).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('refuses with exit code 1, on standard error only', async () => {
    const { code, stdout, stderr } = await runCli(['canonicalize'], '{"a":{"b":1,"\\u0062":2}}');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'forthright: duplicate_key at /a/b\n',
    });
  });
});

describe('forthright ledger', () => {
  const file = join(folder, 'ledger.db');
  const startMs = 1_700_000_000_000;
  const keys = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64));
  const [done, open, left, refusedKey] = keys as [string, string, string, string];
  const twin = `${'a'.repeat(10)}${'0'.repeat(54)}`;
  let openWire = '';

  beforeAll(async () => {
    let nowMs = startMs;
    const ledger = sqliteLedger({ path: file, nowMs: () => (nowMs += 1000) });
    await claim(ledger, done, 'refund_order', 'chat-1');
    await mark(ledger, done);
    const result = '{"refund":"r-1"}';
    const proof = {
      key: done,
      token: 1,
      generation: 1,
      evidence: 'answered',
      result,
      told: true,
    } as const;
    await ledger.note({ key: done, token: 1, note: 'r-1' });
    await ledger.complete(proof);
    await claim(ledger, open, 'refund_order', 'chat-2');
    await mark(ledger, open);
    const { entry } = await ledger.giveUp({ key: open, token: 1 });
    openWire = entry === null ? '' : wireKey(entry);
    await claim(ledger, left, 'set_address', 'chat-2\u001b[2J');
    await mark(ledger, left);
    await claim(ledger, refusedKey, 'refund_order', 'chat-3');
    await ledger.fail({ key: refusedKey, token: 1, result: '{}' });
    await claim(ledger, twin, 'ping', 'chat-4');
    // Its lease lasts beyond the time of any run of this test.
    await mark(ledger, twin, 100 * 365 * 86_400_000);
    await ledger.close();
  });

  async function keysOf(...args: string[]): Promise<readonly string[]> {
    const { code, stdout } = await runCli(['ledger', 'list', file, '--json', ...args]);
    expect(code).toBe(0);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).key);
  }

  it('lists entries as a table, oldest first, with nothing that steers a terminal', async () => {
    const { code, stdout, stderr } = await runCli(['ledger', 'list', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^KEY +STATE +TOOL +SCOPE +LANE +GEN +CREATED +UPDATED$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['aaaaaaaaaaaa', 'ok', 'refund_order', 'chat-1'],
      ['bbbbbbbbbbbb', 'unknown', 'refund_order', 'chat-2'],
      ['cccccccccccc', 'dispatched', 'set_address', 'chat-2\\u001b[2J'],
      ['dddddddddddd', 'failed', 'refund_order', 'chat-3'],
      ['aaaaaaaaaa00', 'dispatched', 'ping', 'chat-4'],
    ]);
    expect(rows[0]).toContain('2023-11-14T22:13:');
  });

  it('narrows the list', async () => {
    expect(await keysOf()).toEqual([...keys, twin]);
    expect(await keysOf('--state', 'ok', '--state', 'failed')).toEqual([done, refusedKey]);
    expect(await keysOf('--scope', 'chat-2')).toEqual([open]);
    expect(await keysOf('--tool', 'refund_order', '--state', 'unknown')).toEqual([open]);
    expect(await keysOf('--unknown')).toEqual([open, left]);
    expect(await keysOf('--unknown', '--state', 'ok')).toEqual([]);
    expect(await keysOf('--limit', '2')).toEqual([done, open]);
  });

  it('says where the list is cut, and where it is empty', async () => {
    const cut = await runCli(['ledger', 'list', file, '--limit', '1']);
    expect(cut.stderr).toMatch(/Only the first 1 /);
    const whole = await runCli(['ledger', 'list', file, '--limit', '5']);
    expect(whole.stderr).toBe('');
    const none = await runCli(['ledger', 'list', file, '--scope', 'nobody']);
    expect(none).toEqual({ code: 0, stdout: 'No entries.\n', stderr: '' });
  });

  it('leaves arguments, results and references out of the list', async () => {
    const { stdout } = await runCli(['ledger', 'list', file, '--json', '--state', 'ok']);
    expect(stdout).not.toMatch(/r-1|"input"|"result"|"note"/);
  });

  it('shows one entry, by its key or the beginning of it', async () => {
    for (const key of [open, 'BBBBBB', openWire]) {
      const { code, stdout } = await runCli(['ledger', 'show', file, key]);
      expect(code).toBe(0);
      expect(stdout).toContain(`key             ${open}\n`);
      expect(stdout).toContain(`wire key        ${openWire}\n`);
      expect(stdout).toContain('state           unknown, to be settled\n');
      expect(stdout).toContain('arguments       {"orderId":1}\n');
    }
    const { stdout } = await runCli(['ledger', 'show', file, done]);
    expect(stdout).toContain('result          {"refund":"r-1"}\n');
    expect(stdout).toContain('reference       r-1\n');
  });

  it('shows it as JSON too', async () => {
    const { stdout } = await runCli(['ledger', 'show', file, '--json', done]);
    expect(JSON.parse(stdout)).toMatchObject({
      key: done,
      state: 'ok',
      note: 'r-1',
      provenToken: 1,
    });
  });

  it('says with exit code 1 that there is no such entry, or more than one', async () => {
    const none = await runCli(['ledger', 'show', file, 'e'.repeat(64)]);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/No entry has the key eee/);
    const several = await runCli(['ledger', 'show', file, 'aaaaaaa']);
    expect(several).toMatchObject({ code: 1, stdout: '' });
    expect(several.stderr).toMatch(/More than one key begins with aaaaaaa/);
  });

  it('makes no ledger where there is none, and changes no other file', async () => {
    const none = join(folder, 'none.db');
    const missing = await runCli(['ledger', 'list', none]);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain(`There is no ledger at ${none}`);
    expect(existsSync(none)).toBe(false);

    for (const text of ['', 'not a database, but long enough to be looked at as if it were one']) {
      const other = join(folder, 'other.txt');
      writeFileSync(other, text);
      expect(await runCli(['ledger', 'show', other, done])).toMatchObject({ code: 2, stdout: '' });
      expect(readFileSync(other, 'utf8')).toBe(text);
    }
  });
});

async function claim(ledger: Ledger, key: string, tool: string, scope: string): Promise<void> {
  const answer = await ledger.claim({
    key,
    scope,
    tool,
    lane: `lane-${key.slice(0, 1)}-${tool}`,
    turn: null,
    fingerprint: key,
    input: '{"orderId":1}',
    attemptId: `attempt-${key.slice(0, 12)}`,
    leaseMs: 10,
    keepsLane: true,
    replayMs: null,
    mayRerun: false,
  });
  expect(answer.kind).toBe('claimed');
}

/** The lease is short, so the mark comes by a clock that has not moved past it. */
async function mark(ledger: Ledger, key: string, leaseMs = 10): Promise<void> {
  const answer = await ledger.mark({
    key,
    token: 1,
    leaseMs,
    sendWindowMs: 60_000,
    patienceMs: 60_000,
  });
  expect(answer.kind).toBe('done');
}
