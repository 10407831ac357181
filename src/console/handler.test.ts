import { describe, expect, test } from 'vitest';
import { desk, Remote, refundTool } from '../../test/support/refunds.ts';
import { didNotHappen, noEvidence, notKnownYet } from '../call/evidence.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { answerTo, claimed, dispatched, happened, markOf } from '../testing/ledger-cases/stage.ts';
import { consoleHandler } from './handler.ts';
import type { ConsoleOptions } from './options.ts';
import type { Acted, EntryView, Found, Me } from './views.ts';

const origin = 'http://localhost:4000';
const page = { 'sec-fetch-site': 'same-origin' };
const acting = { ...page, 'content-type': 'application/json', 'x-forthright-console': 'page' };

function consoleOn(ledger: Ledger, more: Partial<ConsoleOptions> = {}) {
  const handler = consoleHandler(ledger, { auth: () => 'ann', base: '/console', ...more });
  const get = (path: string, headers: Record<string, string> = page): Promise<Response> =>
    handler(new Request(`${origin}/console/${path}`, { headers }));
  const post = (path: string, body: unknown, headers: Record<string, string> = acting) =>
    handler(
      new Request(`${origin}/console/${path}`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  const read = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;
  return { handler, get, post, read };
}

/** A write that may be given any verdict. */
async function unknown(ledger: Ledger, name: string, claim: object = {}): Promise<Entry> {
  const entry = await dispatched(ledger, name, claim, { patienceMs: -1_000 });
  const given = await ledger.giveUp(entry);
  if (given.entry === null) throw new Error('not given up');
  return given.entry;
}

const verdictOn = ({ key, state, token, generation }: Entry, verdict = 'happened') => ({
  key,
  verdict,
  why: 'seen in the books',
  seen: { state, token, generation },
});

describe('who may enter', () => {
  test('nobody where it is not said who', () => {
    expect(() => consoleHandler(memoryLedger(), {} as ConsoleOptions)).toThrow(/who may enter/);
  });

  test.each(['me', 'live', 'entries', 'entry?key=a'])('nobody reads %s unsigned', async (path) => {
    const { get } = consoleOn(memoryLedger(), { auth: () => false });
    expect((await get(`api/${path}`)).status).toBe(401);
  });

  test('nobody settles unsigned', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post } = consoleOn(ledger, { auth: async () => false });
    expect((await post('api/settle', verdictOn(entry))).status).toBe(401);
    expect((await ledger.get(entry.key))?.state).toBe('unknown');
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of this site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://evil.example', 'sec-fetch-site': '' }],
    ['a form', { 'content-type': 'text/plain' }],
    ['a page that cannot set headers', { 'x-forthright-console': '' }],
  ])('what comes from %s is refused, and settles nothing', async (_from, headers) => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post } = consoleOn(ledger);
    const sent = Object.entries({ ...acting, ...headers }).filter(([, value]) => value !== '');
    const answer = await post('api/settle', verdictOn(entry), Object.fromEntries(sent));
    expect(answer.status).toBe(403);
    expect((await ledger.get(entry.key))?.state).toBe('unknown');
  });

  test('another site reads nothing', async () => {
    const { get } = consoleOn(memoryLedger());
    expect((await get('api/entries', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('every answer says what a browser may do with it', async () => {
    const { get } = consoleOn(memoryLedger());
    for (const path of ['api/me', 'api/nothing', 'nothing']) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  test('a base is a path', async () => {
    expect(() => consoleHandler(memoryLedger(), { auth: () => true, base: 'console' })).toThrow(
      /base is a path/,
    );
    const { handler } = consoleOn(memoryLedger());
    const moved = await handler(new Request(`${origin}/console?x=1`));
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/?x=1']);
    expect((await handler(new Request(`${origin}/other`))).status).toBe(404);
    expect((await handler(new Request(`${origin}/console/../../etc/passwd`))).status).toBe(404);
  });
});

describe('finding', () => {
  test('pages, newest first, until there is no more', async () => {
    const ledger = memoryLedger();
    for (let i = 0; i < 120; i += 1) await claimed(ledger, `n${i}`);
    const { read } = consoleOn(ledger);
    const keys: string[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const found: Found = await read(`api/entries${next && `?cursor=${next}`}`);
      keys.push(...found.rows.map(({ key }) => key));
      next = found.next;
    }
    const all = await ledger.list({ newestFirst: true, limit: 500 });
    expect(keys).toEqual(all.map(({ key }) => key));
  });

  test('by key, scope, tool, lane, outcome and time', async () => {
    const ledger = memoryLedger();
    const a = await happened(ledger, 'a', { scope: 'one', lane: 'order:7' });
    const b = await unknown(ledger, 'b', { scope: 'two', tool: 'send_mail' });
    const c = await claimed(ledger, 'c', { scope: 'two' });
    const { read } = consoleOn(ledger);
    const found = async (query: string) =>
      ((await read(`api/entries?${query}`)) as Found).rows.map(({ key }) => key);
    expect(await found(`key=${a.key.slice(0, 8).toUpperCase()}`)).toEqual([a.key]);
    expect(await found(`key=${b.key.slice(0, 22)}-lxyz1234-1`), 'as on the wire').toEqual([b.key]);
    expect(new Set(await found('scope=two'))).toEqual(new Set([b.key, c.key]));
    expect(await found('tool=send_mail')).toEqual([b.key]);
    expect(await found('lane=order%3A7')).toEqual([a.key]);
    expect(await found('outcome=ok')).toEqual([a.key]);
    expect(await found('outcome=unknown')).toEqual([b.key]);
    expect(await found('outcome=running')).toEqual([c.key]);
    expect(await found('outcome=failed')).toEqual([]);
    expect(await found(`before=${a.createdAtMs}`)).toEqual([]);
    expect(await found(`from=${a.createdAtMs}&scope=one`)).toEqual([a.key]);
  });

  test('by the entity that a lane names, with and without what comes before it', async () => {
    const ledger = memoryLedger();
    const order = await claimed(ledger, 'a', { lane: 'order:4512' });
    const customer = await claimed(ledger, 'b', { lane: 'customer:4512' });
    await claimed(ledger, 'c', { lane: 'order:45' });
    const bare = await claimed(ledger, 'd', { lane: '4512' });
    const { read } = consoleOn(ledger);
    const found = async (query: string) =>
      ((await read(`api/entries?${query}`)) as Found).rows.map(({ key }) => key).sort();
    expect(await found('entity=4512')).toEqual([order.key, customer.key, bare.key].sort());
    expect(await found('entity=order%3A4512')).toEqual([order.key]);
    expect(await found('entity=4513')).toEqual([]);
    expect(await found('entity=4512&lane=customer%3A4512')).toEqual([customer.key]);
  });

  test('goes on in steps where few of many fit', async () => {
    const ledger = memoryLedger();
    const old = await unknown(ledger, 'old');
    for (let i = 0; i < 2_100; i += 1) await claimed(ledger, `n${i}`);
    const { read } = consoleOn(ledger);
    const first: Found = await read('api/entries?outcome=unknown');
    expect(first.rows).toEqual([]);
    expect(first.searchedToMs).toBeGreaterThanOrEqual(old.createdAtMs);
    const second: Found = await read(`api/entries?outcome=unknown&cursor=${first.next}`);
    expect(second.rows.map(({ key }) => key)).toEqual([old.key]);
    expect(second.next).toBeUndefined();
  });

  test.each([
    ['key=xyz', 'hexadecimal'],
    ['key=abc', '4 of them'],
    ['outcome=lost', 'ok, failed, unknown, running'],
    ['from=yesterday', 'milliseconds'],
    ['cursor=1', 'cursor'],
  ])('says what is wrong with %s', async (query, words) => {
    const { get } = consoleOn(memoryLedger());
    const answer = await get(`api/entries?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(words);
  });
});

describe('one entry', () => {
  const input = JSON.stringify({ orderId: 7, card: { number: '4111' }, notes: [{ card: 'x' }] });

  async function viewed(more: Partial<ConsoleOptions>): Promise<EntryView> {
    const ledger = memoryLedger();
    const entry = await dispatched(ledger, 'a', { input });
    const result = JSON.stringify({ outcome: 'ok', data: { card: 'y', id: 're_7' } });
    await ledger.note({ ...entry, note: 're_7' });
    await ledger.complete({ ...answerTo(entry), result });
    return consoleOn(ledger, more).read(`api/entry?key=${entry.key}`);
  }

  test('has its arguments, its result and its history', async () => {
    const view = await viewed({});
    expect(view).toMatchObject({
      standing: 'ok',
      arguments: { kind: 'json', value: { orderId: 7, card: { number: '4111' } } },
      result: { kind: 'json', value: { data: { card: 'y', id: 're_7' } } },
      reference: { kind: 'json', value: 're_7' },
    });
    expect(view.events.map(({ what }) => what)).toEqual(['claimed', 'dispatched', 'answered']);
  });

  test('hides what it is told to, wherever it stands', async () => {
    const view = await viewed({ redact: ['card'] });
    expect(view.arguments).toEqual({
      kind: 'json',
      value: { orderId: 7, card: '•••', notes: [{ card: '•••' }] },
    });
    expect(view.result).toMatchObject({ value: { data: { card: '•••', id: 're_7' } } });
    expect(JSON.stringify(await viewed({ redact: ['*'] }))).not.toMatch(/4111|re_7/);
    const own = await viewed({ redact: (_, { field }) => field });
    expect([own.arguments, own.result]).toMatchObject([
      { value: 'arguments' },
      { value: 'result' },
    ]);
  });

  test('a redaction that fails shows nothing', async () => {
    const redact = () => {
      throw new Error('no');
    };
    expect((await viewed({ redact })).arguments).toEqual({ kind: 'closed' });
  });

  test('opens what the host sealed, and says where it cannot', async () => {
    const ledger = memoryLedger();
    const sealer = {
      seal: (text: string) => Buffer.from(text).toString('base64'),
      open: (text: string) => Buffer.from(text, 'base64').toString(),
    };
    const { key } = await claimed(ledger, 'a', { input: sealer.seal(input) });
    const open: EntryView = await consoleOn(ledger, { sealer }).read(`api/entry?key=${key}`);
    expect(open.arguments).toMatchObject({ kind: 'json', value: { orderId: 7 } });
    const closed: EntryView = await consoleOn(ledger).read(`api/entry?key=${key}`);
    expect(closed.arguments).toEqual({ kind: 'closed' });
  });

  test('is not there', async () => {
    expect((await consoleOn(memoryLedger()).get('api/entry?key=abc')).status).toBe(404);
  });
});

describe('settling', () => {
  test('records the verdict in the name of who is signed in, whatever the page says', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post } = consoleOn(ledger);
    const answer = await post('api/settle', { ...verdictOn(entry), by: 'somebody else' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ kind: 'settled', entry: { standing: 'ok' } });
    expect((await ledger.get(entry.key))?.verdict).toMatchObject({
      verdict: 'happened',
      by: 'ann',
      why: 'seen in the books',
    });
  });

  test('wants a name where the host gives none', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post } = consoleOn(ledger, { auth: () => true });
    expect((await post('api/settle', verdictOn(entry))).status).toBe(400);
    expect((await post('api/settle', { ...verdictOn(entry), by: 'bob' })).status).toBe(200);
    expect((await ledger.get(entry.key))?.verdict?.by).toBe('bob');
  });

  test('of two operators at once, the second is told of the first', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post } = consoleOn(ledger);
    expect((await post('api/settle', verdictOn(entry, 'did_not_happen'))).status).toBe(200);
    const second = await post('api/settle', verdictOn(entry, 'happened'));
    expect(second.status).toBe(409);
    const { kind, entry: now } = (await second.json()) as Acted;
    expect([kind, now?.state, now?.verdict?.verdict]).toEqual([
      'changed',
      'failed',
      'did_not_happen',
    ]);
  });

  test('does not believe that it did not happen while it still may', async () => {
    const ledger = memoryLedger();
    const entry = await dispatched(ledger, 'a');
    const given = await ledger.giveUp(entry);
    const { post } = consoleOn(ledger);
    const answer = await post('api/settle', verdictOn(given.entry as Entry, 'did_not_happen'));
    expect([answer.status, ((await answer.json()) as Acted).kind]).toEqual([409, 'too_early']);
  });

  test.each([
    ['no JSON', '{'],
    ['no object', []],
    ['no key', { verdict: 'happened' }],
    ['no verdict', { key: 'k' }],
    ['a verdict of its own', { key: 'k', verdict: 'perhaps' }],
    ['no reason', { key: 'k', verdict: 'happened', why: '  ' }],
    ['too long a reason', { key: 'k', verdict: 'happened', why: 'x'.repeat(501) }],
    ['nothing seen', { key: 'k', verdict: 'happened', why: 'because' }],
  ])('%s is a bad request', async (_what, body) => {
    expect((await consoleOn(memoryLedger()).post('api/settle', body)).status).toBe(400);
  });

  test('a console that only shows settles and asks nothing', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const { post, read } = consoleOn(ledger, { readOnly: true });
    expect(((await read('api/me')) as Me).readOnly).toBe(true);
    expect((await post('api/settle', verdictOn(entry))).status).toBe(403);
    expect((await post('api/ask', { key: entry.key })).status).toBe(403);
    expect((await ledger.get(entry.key))?.state).toBe('unknown');
  });

  test('a settled result is sealed where the host seals', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const sealer = {
      seal: (text: string) => `sealed ${text.length}`,
      open: (text: string) => text,
    };
    await consoleOn(ledger, { sealer }).post('api/settle', verdictOn(entry));
    expect((await ledger.get(entry.key))?.result).toMatch(/^sealed \d+$/);
  });
});

describe('with a runtime', () => {
  async function lost(more: object) {
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      commit();
      return noEvidence('reset');
    };
    const ledger = memoryLedger();
    const { runtime, refund } = desk([refundTool(remote, more)], { ledger });
    const result = await refund({ orderId: 7, amountCents: 100 });
    const key = result.outcome === 'unknown' ? (result.ref ?? '') : '';
    return { ledger, runtime, key };
  }

  test('asks the remote system, one at a time', async () => {
    const { ledger, runtime, key } = await lost({ reconcile: () => notKnownYet() });
    const { post, read } = consoleOn(ledger, { runtime });
    expect(((await read('api/me')) as Me).tools).toContain('refund_order');
    expect(((await read(`api/entry?key=${key}`)) as EntryView).canAsk).toBe(true);
    const first = (await (await post('api/ask', { key })).json()) as Acted;
    expect([first.kind, first.entry?.asks]).toEqual(['asked', 1]);
    const second = (await (await post('api/ask', { key })).json()) as Acted;
    expect(second.kind).toBe('not_asked');
  });

  test('says that a tool has no way to ask, and what a console without a runtime cannot do', async () => {
    const { ledger, runtime, key } = await lost({});
    const view: EntryView = await consoleOn(ledger, { runtime }).read(`api/entry?key=${key}`);
    expect(view.canAsk).toBe(false);
    expect((await consoleOn(ledger).post('api/ask', { key })).status).toBe(409);
  });

  test('a verdict is told to the host by the runtime', async () => {
    const { ledger, runtime, key } = await lost({ reconcile: () => didNotHappen() });
    const told: string[] = [];
    runtime.onSettled(({ result }) => told.push(result.outcome));
    const { post } = consoleOn(ledger, { runtime });
    await post('api/settle', verdictOn((await ledger.get(key)) as Entry));
    await expect.poll(() => told).toEqual(['ok']);
    await runtime.close();
  });
});

describe('live', () => {
  async function firstEvents(response: Response, until: string): Promise<string> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let i = 0; i < 20 && !text.includes(until); i += 1) {
      text += (await reader?.read())?.value ?? '';
    }
    await reader?.cancel();
    return text;
  }

  test('tells what goes on, and how it went', async () => {
    const ledger = memoryLedger();
    const entry = await unknown(ledger, 'a');
    const flying = await claimed(ledger, 'b');
    await ledger.mark(markOf(flying));
    const { get } = consoleOn(ledger);
    const response = await get('api/live');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const text = await firstEvents(response, '"span":"day"');
    expect(text).toMatch(/^retry: \d+\n\nevent: now\ndata: \{/);
    expect(text).toContain(`"key":"${entry.key}"`);
    expect(text).toMatch(/"standing":"unknown".*"standing":"sent"/);
    expect(text).toContain('"span":"hour"');
  });

  test('says that the ledger is away, and goes on when it is back', async () => {
    const ledger = memoryLedger();
    let isAway = true;
    const troubled: Ledger = {
      ...ledger,
      list: (query) => (isAway ? Promise.reject(new Error('secret host')) : ledger.list(query)),
    };
    const { get } = consoleOn(troubled);
    expect((await get('api/entries')).status).toBe(503);
    const response = await get('api/live');
    const reading = firstEvents(response, 'event: now');
    setTimeout(() => {
      isAway = false;
    }, 20);
    const text = await reading;
    expect(text).toContain('event: trouble');
    expect(text).not.toContain('secret host');
    expect(text).toContain('event: now');
  });
});
