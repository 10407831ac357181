import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { inspect } from 'node:util';
import { Agent, RetryAgent, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evidenceOf } from '../src/call/evidence.ts';
import { createRetryBudget, ReadRequestError, WriteRequestError } from '../src/http/index.ts';
import { httpDesk } from './support/http-desk.ts';
import { startWriteServer, type WriteServer } from './support/write-server.ts';

let server: WriteServer;
const alsoOpen: { close(callback?: () => void): unknown }[] = [];

beforeEach(async () => {
  server = await startWriteServer();
});

afterEach(async () => {
  await server.close();
  for (const one of alsoOpen.splice(0)) one.close();
});

const post = { method: 'POST', body: '{"amountCents":2000}' };

/** What a promise rejects with. */
async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It resolved.');
}

async function writeError(work: Promise<unknown>): Promise<WriteRequestError> {
  const error = await rejection(work);
  expect(WriteRequestError.isInstance(error), String(error)).toBe(true);
  return error as WriteRequestError;
}

/** Listens on a free port of the loopback address; returns it. */
async function listen(one: Server): Promise<number> {
  alsoOpen.push(one);
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return (one.address() as AddressInfo).port;
}

/** A port at which nobody listens. */
async function freePort(): Promise<number> {
  const one = createTcpServer();
  const port = await listen(one);
  await new Promise((resolve) => one.close(resolve));
  return port;
}

describe('a write that succeeds', () => {
  test('is marked, then sent once with its key, and answers with its body in memory', async () => {
    const desk = httpDesk();
    const response = await desk.fetch(server.url, post);
    expect(desk.calls).toEqual(['mark', 'send']);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      body: post.body,
      headers: { 'idempotency-key': 'key-1', 'content-type': 'text/plain;charset=UTF-8' },
    });
    expect(response).toMatchObject({ status: 200, ok: true, url: server.url, redirected: false });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ id: 're_1', status: 'done' });
    expect(desk.evidence).toMatchObject({ evidence: 'answered' });
  });

  test('is not sent before the mark is there, nor at all where the mark is refused', async () => {
    const refused = new Error('refused');
    const desk = httpDesk({ mark: () => Promise.reject(refused) });
    expect(await rejection(desk.fetch(server.url, post))).toBe(refused);
    expect(server.requests).toHaveLength(0);
  });

  test('without a body in the answer', async () => {
    server.plan({ status: 204 });
    const response = await httpDesk().fetch(server.url, { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(response.body).toBeNull();
  });

  test.each([
    ['a Request', () => new Request(server.url, post)],
    ['a Request and options over it', () => new Request(server.url, { ...post, method: 'PUT' })],
  ])('from %s', async (_name, request) => {
    await httpDesk().fetch(request(), { method: 'POST', headers: { 'x-a': 'b' } });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      body: post.body,
      headers: { 'x-a': 'b', 'idempotency-key': 'key-1' },
    });
  });

  test('from a body that streams', async () => {
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('streamed'));
        stream.close();
      },
    });
    await httpDesk().fetch(server.url, { method: 'POST', body, duplex: 'half' });
    expect(server.requests[0]?.body).toBe('streamed');
  });

  test('with a key in quotes, as the draft has it', async () => {
    await httpDesk({ keyFormat: 'quoted' }).fetch(server.url, post);
    expect(server.requests[0]?.headers['idempotency-key']).toBe('"key-1"');
  });

  test('with the caller’s own key', async () => {
    await httpDesk().fetch(server.url, { ...post, headers: { 'idempotency-key': 'mine' } });
    expect(server.requests[0]?.headers['idempotency-key']).toBe('mine');
  });
});

describe('a write that ends otherwise', () => {
  test.each([
    ['commit_then_503', 503, 1],
    ['commit_then_reset', undefined, 1],
    ['commit_then_half_a_body', 200, 1],
    ['commit_then_bad_http', undefined, 1],
    ['reset', undefined, 0],
    [{ redirect: 303, commits: true }, 303, 1],
    [{ redirect: 307 }, 307, 0],
    [{ redirect: 302 }, 302, 0],
    [{ status: 409 }, 409, 0],
    [{ status: 422 }, 422, 0],
    [{ status: 408 }, 408, 0],
    [{ status: 429 }, 429, 0],
    [{ status: 402 }, 402, 0],
    [{ status: 500 }, 500, 0],
  ] as const)('by %o: no proof, sent once', async (behaviour, status, effects) => {
    server.plan(behaviour);
    const desk = httpDesk();
    const error = await writeError(desk.fetch(server.url, post));
    expect(error.evidence).toMatchObject({ evidence: 'none', accepted: false });
    expect(error.evidence).toBe(desk.evidence);
    expect(error.status).toBe(status);
    expect(server.effects).toBe(effects);
    expect(server.requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 405, 410, 412, 415])('by %i: rejected', async (status) => {
    server.plan({ status });
    const error = await writeError(httpDesk().fetch(server.url, post));
    expect(error.evidence).toEqual({
      evidence: 'rejected',
      reason: `answered ${status}`,
      data: { status },
    });
    expect(error).toMatchObject({ status, body: '{"error":"no"}' });
  });

  test('by 409 without a key: rejected', async () => {
    server.plan({ status: 409 });
    const error = await writeError(httpDesk().fetch(server.url, { ...post, keyHeader: false }));
    expect(server.requests[0]?.headers['idempotency-key']).toBeUndefined();
    expect(error.evidence.evidence).toBe('rejected');
  });

  test('by 202: accepted', async () => {
    server.plan('accept_202');
    const error = await writeError(httpDesk().fetch(server.url, post));
    expect(error.evidence).toMatchObject({ evidence: 'none', accepted: true });
    expect(error.body).toBe('{"status":"pending"}');
  });

  test('by a status of which the API’s contract makes proof', async () => {
    server.plan({ status: 429 }, { redirect: 303, commits: true });
    const contract = { rejects: [429], answers: [303] };
    const error = await writeError(httpDesk().fetch(server.url, { ...post, contract }));
    expect(error.evidence.evidence).toBe('rejected');
    const response = await httpDesk({ contract }).fetch(server.url, post);
    expect(response.status).toBe(303);
  });

  test('by a status that is accepted: returned, while its evidence stays', async () => {
    server.plan({ status: 404 }, 'commit_then_503');
    const desk = httpDesk();
    const response = await desk.fetch(server.url, { ...post, acceptStatuses: [404] });
    expect(await response.text()).toBe('{"error":"no"}');
    expect(desk.evidence?.evidence).toBe('rejected');
    const other = httpDesk();
    expect((await other.fetch(server.url, { ...post, acceptStatuses: [503] })).status).toBe(503);
    expect(other.evidence?.evidence).toBe('none');
  });

  test('by half a body: not returned, though its status is accepted', async () => {
    server.plan('commit_then_half_a_body');
    const error = await writeError(
      httpDesk().fetch(server.url, { ...post, acceptStatuses: [200] }),
    );
    expect(error.evidence.evidence).toBe('none');
  });

  test('by a body past the limit', async () => {
    server.plan('commit_then_long_body');
    const error = await writeError(httpDesk({ maxBodyBytes: 1000 }).fetch(server.url, post));
    expect(error.evidence).toMatchObject({
      evidence: 'none',
      reason: 'answered 200 with a body past the limit',
    });
    server.plan('commit_then_long_body');
    const whole = await httpDesk({ maxBodyBytes: 20_000 }).fetch(server.url, post);
    expect(await whole.text()).toHaveLength(20_000);
  });

  test.each(['commit_then_hang', 'hang', 'commit_then_hang_in_body'] as const)(
    'by %s: ended with its life, and unknown',
    async (behaviour) => {
      server.plan(behaviour);
      const desk = httpDesk();
      const work = writeError(desk.fetch(server.url, post));
      await arrived();
      desk.end();
      expect((await work).evidence.evidence).toBe('none');
    },
  );

  test('by the caller’s own signal', async () => {
    server.plan('commit_then_hang');
    const caller = new AbortController();
    const work = writeError(httpDesk().fetch(server.url, { ...post, signal: caller.signal }));
    await arrived();
    caller.abort();
    expect((await work).evidence.evidence).toBe('none');
    const before = httpDesk();
    const gone = before.fetch(server.url, { ...post, signal: AbortSignal.abort() });
    expect(await rejection(gone)).toMatchObject({ name: 'AbortError' });
    expect(before.calls).toEqual([]);
  });

  test('tells of host and status, and nothing else of the request', async () => {
    server.plan({ status: 403, headers: { 'set-cookie': 'sid=hunter2' } });
    const url = `${server.url}/tok_hunter2?api_key=hunter2`;
    const headers = { authorization: 'Bearer hunter2' };
    const error = await writeError(httpDesk().fetch(url, { ...post, headers }));
    expect(error.message).toBe(`POST 127.0.0.1:${server.port}: answered 403`);
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    expect(error.headers?.get('set-cookie')).toContain('hunter2');
  });

  /** Resolves once the server has a request. */
  async function arrived(): Promise<void> {
    for (let at = 0; at < 1000 && server.requests.length === 0; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // Time for the first bytes of an answer.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

describe('a write that never left', () => {
  test.each([
    ['connection refused', async () => `http://127.0.0.1:${await freePort()}/`],
    ['name not found', async () => 'http://nowhere.invalid/'],
    ['TLS refused', async () => `https://127.0.0.1:${await listen(createTlsServer())}/`],
    ['TLS to a plain server', async () => server.url.replace('http:', 'https:')],
    [
      'TLS to one that hangs up',
      async () => {
        const hangsUp = createTcpServer((socket) => socket.on('data', () => socket.destroy()));
        return `https://127.0.0.1:${await listen(hangsUp)}/`;
      },
    ],
  ])('%s', async (_name, url) => {
    const error = await writeError(httpDesk().fetch(await url(), post));
    expect(error.evidence.evidence).toBe('not_sent');
    expect(error.status).toBeUndefined();
    expect(error.cause).toBeDefined();
  });

  test('connect timeout', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined));
    const agent = new Agent({ connect: { timeout: 50 } });
    alsoOpen.push(agent);
    const url = `https://127.0.0.1:${await listen(silent)}/`;
    const error = await writeError(deskThrough(agent).fetch(url, post));
    expect(error.evidence).toMatchObject({
      evidence: 'not_sent',
      reason: expect.stringContaining('UND_ERR_CONNECT_TIMEOUT'),
    });
  });

  test('time over before it was sent', async () => {
    const desk = httpDesk({ maySend: () => false });
    const error = await writeError(desk.fetch(server.url, post));
    expect(error.evidence.evidence).toBe('not_sent');
    expect(server.requests).toHaveLength(0);
  });

  test('called off while it waited for a connection', async () => {
    const agent = new Agent({ connections: 1, pipelining: 1 });
    alsoOpen.push(agent);
    server.plan('hang');
    const first = deskThrough(agent);
    const second = deskThrough(agent);
    const hanging = writeError(first.fetch(server.url, post));
    await sent(1);
    const waiting = writeError(second.fetch(server.url, post));
    await new Promise((resolve) => setTimeout(resolve, 20));
    second.end();
    expect((await waiting).evidence.evidence).toBe('not_sent');
    first.end();
    expect((await hanging).evidence.evidence).toBe('none');
    expect(server.requests).toHaveLength(1);
  });

  test('called off while it was being marked', async () => {
    const caller = new AbortController();
    const desk = httpDesk({ mark: async () => caller.abort() });
    const error = await writeError(desk.fetch(server.url, { ...post, signal: caller.signal }));
    expect(error.evidence.evidence).toBe('not_sent');
    expect(server.requests).toHaveLength(0);
  });

  test('what could never be sent is an error before the mark', async () => {
    for (const [input, init] of [
      ['/relative', post],
      [server.url, { ...post, headers: { 'bad header': 'x' } }],
      [server.url, { ...post, keyHeader: 'bad header' }],
      [server.url, { ...post, contract: { rejects: [503] } }],
    ] as const) {
      const desk = httpDesk();
      expect(await rejection(desk.fetch(input, init))).toBeInstanceOf(Error);
      expect(desk.calls).toEqual([]);
    }
  });

  test('a key that no header can carry sends nothing', async () => {
    const error = await writeError(httpDesk({ key: 'zwölf' }).fetch(server.url, post));
    expect(error.evidence.evidence).toBe('not_sent');
    expect(server.requests).toHaveLength(0);
  });
});

describe('a kept-alive connection', () => {
  test('that the server closed: a new one, or unknown, and never twice', async () => {
    for (let at = 0; at < 20; at += 1) {
      server.plan('commit_then_close_idle');
      await httpDesk().fetch(server.url, post);
      const before = server.effects;
      const desk = httpDesk();
      const ended = await desk.fetch(server.url, post).catch((error: unknown) => error);
      const happened = server.effects - before;
      if (ended instanceof Response) expect(happened).toBe(1);
      else expect(evidenceOf(ended)?.evidence).toBe('none');
      expect(happened).toBeLessThanOrEqual(1);
    }
  });

  test('that breaks once the request was written: unknown', async () => {
    const agent = new Agent({ connections: 1 });
    alsoOpen.push(agent);
    await deskThrough(agent).fetch(server.url, post);
    server.plan('reset');
    const error = await writeError(deskThrough(agent).fetch(server.url, post));
    expect(server.connections).toBe(1);
    expect(error.evidence.evidence).toBe('none');
  });
});

describe('retries of a write', () => {
  beforeEach(async () => {
    await server.close();
    server = await startWriteServer({ honoursKeys: true });
  });

  test.each(['commit_then_503', 'commit_then_reset', 'commit_then_half_a_body'] as const)(
    'after %s, with a key that is honoured: one effect and the answer',
    async (behaviour) => {
      server.plan(behaviour);
      const desk = httpDesk({ honoursKeys: true });
      expect((await desk.fetch(server.url, post)).status).toBe(200);
      expect(desk.evidence?.evidence).toBe('answered');
      expect(server.requests).toHaveLength(2);
      expect(server.effects).toBe(1);
    },
  );

  test('repeat the request to the byte, a form too', async () => {
    const form = new FormData();
    form.set('amount', '2000');
    form.set('receipt', new Blob(['%PDF'], { type: 'application/pdf' }), 'receipt.pdf');
    server.plan('commit_then_reset', 'commit_then_503');
    await httpDesk({ honoursKeys: true }).fetch(server.url, { method: 'POST', body: form });
    const [first, second, third] = server.requests;
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(first?.headers['content-type']).toContain('multipart/form-data; boundary=');
  });

  test.each([
    ['a Request', () => new Request(server.url, post)],
    ['bytes', () => new Request(server.url, { ...post, body: new Uint8Array([1, 2]) })],
    ['parameters', () => new Request(server.url, { ...post, body: new URLSearchParams('a=b') })],
  ])('of %s', async (_name, request) => {
    server.plan('commit_then_reset');
    await httpDesk({ honoursKeys: true }).fetch(request());
    expect(server.requests[1]).toEqual(server.requests[0]);
  });

  test.each([
    ['no key', { honoursKeys: true }, { keyHeader: false }],
    ['a key that is not honoured', { honoursKeys: false }, {}],
    ['no more sends allowed', { honoursKeys: true, retry: { maxSends: 1 } }, {}],
  ] as const)('are not made with %s', async (_name, options, init) => {
    server.plan('commit_then_503');
    await writeError(httpDesk(options).fetch(server.url, { ...post, ...init }));
    expect(server.requests).toHaveLength(1);
  });

  test('are not made of a body that streams', async () => {
    server.plan('commit_then_503');
    const body = new Blob(['streamed']).stream();
    const init = { method: 'POST', body, duplex: 'half' } as const;
    let sends = 0;
    const counted: typeof fetch = (...args) => {
      sends += 1;
      return fetch(...args);
    };
    await writeError(httpDesk({ honoursKeys: true, fetch: counted }).fetch(server.url, init));
    expect(sends).toBe(1);
  });

  test('end at the bound, without proof', async () => {
    server.plan('commit_then_503', 'commit_then_503', 'commit_then_503', 'commit_then_503');
    const error = await writeError(httpDesk({ honoursKeys: true }).fetch(server.url, post));
    expect(error.evidence.evidence).toBe('none');
    expect(server.requests).toHaveLength(3);
    expect(server.effects).toBe(1);
  });

  test('that are rejected after a send without proof prove nothing', async () => {
    for (const status of [401, 404, 409]) {
      server.plan('commit_then_reset', { status });
      const desk = httpDesk({ honoursKeys: true, retry: { maxSends: 2 } });
      const error = await writeError(desk.fetch(server.url, post));
      expect(error.evidence.evidence).toBe('none');
      expect(error.status).toBe(status);
    }
  });

  test('that cannot connect after a send without proof prove nothing', async () => {
    server.plan('commit_then_reset');
    const { url } = server;
    let sends = 0;
    const desk = httpDesk({
      honoursKeys: true,
      async fetch(input, init) {
        sends += 1;
        if (sends > 1) await server.close();
        return fetch(input, init);
      },
    });
    const error = await writeError(desk.fetch(url, post));
    expect(sends).toBe(3);
    expect(error.evidence.evidence).toBe('none');
  });

  test('ask each time whether they may be sent', async () => {
    server.plan('commit_then_reset');
    let asked = 0;
    const maySend = () => {
      asked += 1;
      return asked === 1;
    };
    const error = await writeError(
      httpDesk({ honoursKeys: true, maySend }).fetch(server.url, post),
    );
    expect(error.evidence.evidence).toBe('none');
    expect(server.requests).toHaveLength(1);
    expect(asked).toBe(2);
  });

  test('wait no longer than the request lives', async () => {
    server.plan({ status: 503, headers: { 'retry-after': '9' } });
    const desk = httpDesk({ honoursKeys: true });
    const work = writeError(desk.fetch(server.url, post));
    await sent(1);
    desk.end();
    expect((await work).evidence.evidence).toBe('none');
    expect(server.requests).toHaveLength(1);
  });

  test('end where the remote asks for more patience than there is', async () => {
    server.plan({ status: 503, headers: { 'retry-after': '3600' } });
    await writeError(httpDesk({ honoursKeys: true }).fetch(server.url, post));
    expect(server.requests).toHaveLength(1);
  });

  test('end with the budget', async () => {
    const budget = createRetryBudget({ tokens: 2 });
    server.plan('commit_then_503');
    await writeError(httpDesk({ honoursKeys: true, budget }).fetch(server.url, post));
    expect(server.requests).toHaveLength(1);
  });
});

describe('a read', () => {
  test('is neither marked nor keyed', async () => {
    const desk = httpDesk();
    expect((await desk.fetch(server.url)).status).toBe(200);
    expect((await desk.fetch(server.url, { ...post, effect: 'read' })).status).toBe(200);
    expect(desk.calls).toEqual(['read', 'read']);
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each(['commit_then_503', 'reset', 'commit_then_half_a_body', { status: 429 }] as const)(
    'is sent again after %o',
    async (behaviour) => {
      server.plan(behaviour, behaviour);
      expect((await httpDesk().fetch(server.url)).status).toBe(200);
      expect(server.requests).toHaveLength(3);
    },
  );

  test('that fails carries no evidence of any write', async () => {
    server.plan({ status: 404 });
    const error = await rejection(httpDesk().fetch(server.url));
    expect(ReadRequestError.isInstance(error)).toBe(true);
    expect(WriteRequestError.isInstance(error)).toBe(false);
    expect(evidenceOf(error)).toBeUndefined();
    expect(error).toMatchObject({ status: 404, body: '{"error":"no"}' });
    expect(server.requests).toHaveLength(1);
  });

  test('returns a status that is accepted, and follows redirects', async () => {
    server.plan({ status: 404 }, { redirect: 302 });
    const missing = await httpDesk().fetch(server.url, { acceptStatuses: [404] });
    expect(missing.status).toBe(404);
    const moved = await httpDesk().fetch(server.url);
    expect(moved).toMatchObject({ status: 200, redirected: true });
  });

  test('ends within its longest life', async () => {
    server.plan('hang');
    const error = await rejection(httpDesk({ requestMaxMs: 50 }).fetch(server.url));
    expect(ReadRequestError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: `GET 127.0.0.1:${server.port}: called off` });
  });
});

describe('a fetch of which nothing is known', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const refusing = () => Promise.reject(refused);

  test('is judged by the code of its error', async () => {
    const error = await writeError(httpDesk({ fetch: refusing }).fetch(server.url, post));
    expect(error.evidence.evidence).toBe('not_sent');
    expect(error.cause).toBe(refused);
  });

  test('but not where the code may be that of the body, or of an abort', async () => {
    const body = new Blob(['streamed']).stream();
    const init = { method: 'POST', body, duplex: 'half' } as const;
    const streamed = await writeError(httpDesk({ fetch: refusing }).fetch(server.url, init));
    expect(streamed.evidence.evidence).toBe('none');
    const caller = new AbortController();
    const aborting = () => {
      caller.abort(refused);
      return Promise.reject(refused);
    };
    const { signal } = caller;
    const work = httpDesk({ fetch: aborting }).fetch(server.url, { ...post, signal });
    expect((await writeError(work)).evidence.evidence).toBe('none');
  });

  test('and answers of another request prove nothing', async () => {
    const elsewhere = Object.defineProperty(new Response('{}'), 'redirected', { value: true });
    const desk = httpDesk({ fetch: async () => elsewhere });
    expect((await writeError(desk.fetch(server.url, post))).evidence.evidence).toBe('none');
  });

  test('may answer with any status, and with none', async () => {
    for (const status of [0, 999]) {
      const strange = Object.defineProperty(new Response('{}'), 'status', { value: status });
      const desk = httpDesk({ fetch: async () => strange });
      const error = await writeError(desk.fetch(server.url, post));
      expect(error).toMatchObject({ status, evidence: { evidence: 'none' } });
    }
  });

  test('may have a body that never ends, and one that is used already', async () => {
    const endless = new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    const desk = httpDesk({ fetch: async () => endless });
    const work = writeError(desk.fetch(server.url, post));
    await new Promise((resolve) => setTimeout(resolve, 10));
    desk.end();
    expect((await work).evidence.evidence).toBe('none');
    const used = new Response('{}');
    await used.text();
    const other = httpDesk({ fetch: async () => used });
    expect((await writeError(other.fetch(server.url, post))).evidence.evidence).toBe('none');
  });
});

describe('a client that sends again by itself', () => {
  const retrying = () => {
    const agent = new RetryAgent(new Agent({ connections: 1 }), { minTimeout: 1, maxTimeout: 1 });
    alsoOpen.push(agent);
    return agent;
  };

  test.each(['commit_then_503', 'commit_then_reset'] as const)(
    'after %s, and is refused then: no proof',
    async (behaviour) => {
      const agent = retrying();
      // The second request of a connection retries in the context of the first.
      await deskThrough(agent).fetch(server.url, post);
      server.plan(behaviour, { status: 404 });
      const error = await writeError(deskThrough(agent).fetch(server.url, { method: 'DELETE' }));
      expect(server.requests).toHaveLength(3);
      expect(error.status).toBe(404);
      expect(error.evidence).toMatchObject({ evidence: 'none' });
    },
  );

  test('and is answered then: proof', async () => {
    server.plan('commit_then_503');
    const desk = deskThrough(retrying());
    expect((await desk.fetch(server.url, { method: 'DELETE' })).status).toBe(200);
    expect(desk.evidence?.evidence).toBe('answered');
  });

  test('after 421, as fetch does: a refusal then is no proof', async () => {
    server.plan({ status: 421 }, { status: 400 });
    const error = await writeError(httpDesk().fetch(server.url, post));
    expect(server.requests).toHaveLength(2);
    expect(error).toMatchObject({ status: 400, evidence: { evidence: 'none' } });
  });

  test('to where it was redirected: no proof', async () => {
    const { interceptors } = await import('undici');
    const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));
    server.plan({ redirect: 302 });
    const desk = deskThrough(agent);
    const error = await writeError(desk.fetch(server.url, { method: 'DELETE' }));
    expect(error.evidence).toMatchObject({ evidence: 'none' });
    await agent.close();
  });
});

/** A desk over undici's own fetch. */
function deskThrough(dispatcher: Agent | RetryAgent | ReturnType<Agent['compose']>) {
  return httpDesk({
    fetch: ((input: string, init: object) =>
      undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch,
  });
}

/** Resolves once the server has had this many requests. */
async function sent(requests: number): Promise<void> {
  for (let at = 0; at < 1000 && server.requests.length < requests; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
