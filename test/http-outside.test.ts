import { Agent, interceptors, request, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Evidence } from '../src/call/evidence.ts';
import {
  type MarkOptions,
  WriteRequestError,
  writeFetch,
  writeInterceptor,
} from '../src/http/index.ts';
import { startWriteServer, type WriteServer } from './support/write-server.ts';

let server: WriteServer;
const agents: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  server = await startWriteServer();
});

afterEach(async () => {
  await server.close();
  for (const agent of agents.splice(0)) await agent.close();
});

/** Marks that note, in order, what they were asked and told. */
function marking(options: { maySend?: () => boolean } = {}) {
  const notes: string[] = [];
  const ended: Evidence[] = [];
  const mark: MarkOptions['mark'] = async ({ method, url }) => {
    notes.push(`mark ${method} ${url.pathname}`);
    return {
      key: `key-${notes.length}`,
      maySend() {
        notes.push('maySend');
        return options.maySend?.() ?? true;
      },
      ended(evidence) {
        notes.push(evidence.evidence);
        ended.push(evidence);
      },
    };
  };
  return { notes, ended, mark };
}

const post = { method: 'POST', body: '{"amountCents":2000}' } as const;

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('It resolved.');
    },
    (error: unknown) => error,
  );
}

/** Resolves once the server has had this many requests. */
async function arrived(requests: number): Promise<void> {
  for (let at = 0; at < 1000 && server.requests.length < requests; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('writeFetch', () => {
  test('marks, sends with the key, and tells the mark what it proved', async () => {
    const { notes, mark } = marking();
    const response = await writeFetch(fetch, { mark })(server.url, post);
    expect(await response.json()).toMatchObject({ status: 'done' });
    expect(notes).toEqual(['mark POST /refunds', 'maySend', 'answered']);
    expect(server.requests[0]?.headers['idempotency-key']).toBe('key-1');
  });

  test('tells it of what ended otherwise, and rejects', async () => {
    server.plan('commit_then_503');
    const { ended, mark } = marking();
    const error = await rejection(writeFetch(fetch, { mark })(server.url, post));
    expect(WriteRequestError.isInstance(error)).toBe(true);
    expect(ended).toEqual([(error as WriteRequestError).evidence]);
    expect(server.requests).toHaveLength(1);
  });

  test('sends nothing where the mark is refused, or comes too late', async () => {
    const refused = new Error('refused');
    const send = writeFetch(fetch, { mark: () => Promise.reject(refused) });
    expect(await rejection(send(server.url, post))).toBe(refused);
    const { notes, mark } = marking({ maySend: () => false });
    await rejection(writeFetch(fetch, { mark })(server.url, post));
    expect(notes.at(-1)).toBe('not_sent');
    expect(server.requests).toHaveLength(0);
  });

  test('asks before each send, and ends within its longest life', async () => {
    server.plan('commit_then_reset', 'hang');
    const { notes, mark } = marking();
    const send = writeFetch(fetch, {
      mark,
      honoursKeys: true,
      requestMaxMs: 300,
      retry: { baseMs: 0 },
    });
    await rejection(send(server.url, post));
    expect(notes).toEqual(['mark POST /refunds', 'maySend', 'maySend', 'none']);
  });

  test('lets reads through without a mark', async () => {
    const { notes, mark } = marking();
    await writeFetch(fetch, { mark })(server.url);
    expect(notes).toEqual([]);
  });
});

describe('writeInterceptor', () => {
  function agentWith(
    options: Parameters<typeof writeInterceptor>[0],
    ...around: ReturnType<typeof interceptors.retry>[]
  ) {
    const agent = new Agent({ connections: 1 });
    agents.push(agent);
    return agent.compose(writeInterceptor(options), ...around);
  }

  test('marks, sends with the key, asks right before it is written', async () => {
    const { notes, mark } = marking();
    const dispatcher = agentWith({ mark });
    const response = await request(server.url, { ...post, dispatcher });
    expect(await response.body.json()).toMatchObject({ status: 'done' });
    expect(notes).toEqual(['mark POST /refunds', 'maySend', 'answered']);
    expect(server.requests[0]).toMatchObject({
      body: post.body,
      headers: { 'idempotency-key': 'key-1' },
    });
  });

  test('serves undici’s fetch, and keeps its headers', async () => {
    const { notes, mark } = marking();
    const headers = { 'x-a': 'b' };
    const response = await undiciFetch(server.url, {
      ...post,
      headers,
      dispatcher: agentWith({ mark, keyHeader: 'X-Key' }),
    });
    expect(response.status).toBe(200);
    await response.text();
    expect(notes.at(-1)).toBe('answered');
    expect(server.requests[0]?.headers).toMatchObject({ 'x-a': 'b', 'x-key': 'key-1' });
  });

  test.each([
    [{ 'Idempotency-Key': 'mine' }],
    [['idempotency-key', 'mine']],
    [new Map([['Idempotency-Key', 'mine']])],
  ])('leaves a key of the caller’s own: %o', async (headers) => {
    const { mark } = marking();
    const dispatcher = agentWith({ mark });
    await (await request(server.url, { ...post, headers, dispatcher })).body.dump();
    expect(server.requests[0]?.headers['idempotency-key']).toBe('mine');
  });

  test.each([
    ['commit_then_503', 'none'],
    ['accept_202', 'none'],
    [{ redirect: 303, commits: true }, 'none'],
    [{ status: 409 }, 'none'],
    [{ status: 404 }, 'rejected'],
  ] as const)('passes %o as it is, and tells: %s', async (behaviour, evidence) => {
    server.plan(behaviour);
    const { notes, mark } = marking();
    const response = await request(server.url, { ...post, dispatcher: agentWith({ mark }) });
    await response.body.text();
    expect(notes.at(-1)).toBe(evidence);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['commit_then_reset', 'commit_then_half_a_body'] as const)(
    'tells of %s: none',
    async (behaviour) => {
      server.plan(behaviour);
      const { notes, mark } = marking();
      const dispatcher = agentWith({ mark });
      const work = request(server.url, { ...post, dispatcher }).then(({ body }) => body.text());
      expect(await rejection(work)).toBeInstanceOf(Error);
      expect(notes.at(-1)).toBe('none');
    },
  );

  test('tells of a refused connection: not_sent', async () => {
    const { url } = server;
    await server.close();
    const { notes, mark } = marking();
    await rejection(request(url, { ...post, dispatcher: agentWith({ mark }) }));
    expect(notes).toEqual(['mark POST /refunds', 'not_sent']);
    server = await startWriteServer();
  });

  test('sends nothing where the mark is refused', async () => {
    const refused = new Error('refused');
    const dispatcher = agentWith({ mark: () => Promise.reject(refused) });
    expect(await rejection(request(server.url, { ...post, dispatcher }))).toBe(refused);
    expect(server.requests).toHaveLength(0);
  });

  test('writes nothing once the time for sending is over, the wait in the queue included', async () => {
    let isOver = false;
    const { notes, mark } = marking({ maySend: () => !isOver });
    const dispatcher = agentWith({ mark, requestMaxMs: 5000 });
    server.plan('hang');
    const first = new AbortController();
    const hanging = rejection(request(server.url, { ...post, dispatcher, signal: first.signal }));
    await arrived(1);
    const waiting = rejection(request(server.url, { ...post, dispatcher }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    isOver = true;
    first.abort();
    await hanging;
    expect(await waiting).toBeInstanceOf(Error);
    expect(notes.filter((note) => note === 'not_sent')).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('ends what hangs, and what waits in a queue, within its longest life', async () => {
    const { notes, mark } = marking();
    const dispatcher = agentWith({ mark, requestMaxMs: 100 });
    server.plan('commit_then_hang');
    const hanging = rejection(request(server.url, { ...post, dispatcher }));
    await arrived(1);
    server.plan('hang');
    const waiting = rejection(request(server.url, { ...post, dispatcher }));
    expect(await hanging).toBeInstanceOf(Error);
    expect(await waiting).toBeInstanceOf(Error);
    expect(notes.filter((note) => note === 'none').length).toBeGreaterThan(0);
    expect(notes.filter((note) => note.startsWith('mark'))).toHaveLength(2);
  });

  test('never writes what ended while it waited in a queue', async () => {
    const agent = new Agent({ connections: 1, pipelining: 1 });
    agents.push(agent);
    const { notes, mark } = marking();
    const dispatcher = agent.compose(writeInterceptor({ mark, requestMaxMs: 50 }));
    server.plan('hang');
    const first = new AbortController();
    const hanging = rejection(
      request(server.url, { ...post, dispatcher: agent, signal: first.signal }),
    );
    await arrived(1);
    const { origin, pathname: path } = new URL(server.url);
    // A handler that would not mind being started after its end.
    const ended = new Promise((resolve) => {
      dispatcher.dispatch(
        { ...post, origin, path },
        { onRequestStart: () => undefined, onResponseError: (_, error) => resolve(error) },
      );
    });
    expect(await ended).toBeInstanceOf(Error);
    expect(notes).toEqual(['mark POST /refunds', 'not_sent']);
    first.abort();
    await hanging;
    await (await request(server.url, { dispatcher: agent })).body.dump();
    expect(server.requests).toHaveLength(2);
    expect(server.effects).toBe(1);
  });

  const retry = () =>
    interceptors.retry({ methods: ['POST'], minTimeout: 1, maxTimeout: 1, maxRetries: 2 });

  test('next to the wire: a retry asks for a mark of its own', async () => {
    server.plan('commit_then_503');
    const { notes, mark } = marking();
    const dispatcher = agentWith({ mark }, retry());
    await (await request(server.url, { ...post, dispatcher })).body.dump();
    expect(notes).toEqual([
      'mark POST /refunds',
      'maySend',
      'none',
      'mark POST /refunds',
      'maySend',
      'answered',
    ]);
  });

  test('around a retry: no proof', async () => {
    const agent = new Agent();
    agents.push(agent);
    server.plan('commit_then_503', { status: 404 });
    const { notes, mark } = marking();
    const dispatcher = agent.compose(retry(), writeInterceptor({ mark }));
    await (await request(server.url, { ...post, dispatcher })).body.dump();
    expect(server.requests).toHaveLength(2);
    expect(notes.at(-1)).toBe('none');
  });

  test('lets reads through', async () => {
    const { notes, mark } = marking();
    await (await request(server.url, { dispatcher: agentWith({ mark }) })).body.dump();
    expect(notes).toEqual([]);
  });

  test('does not hand the answer on before it is on record', async () => {
    const failed = new Error('the record is gone');
    const dispatcher = agentWith({
      mark: async () => ({ key: 'k', ended: () => Promise.reject(failed) }),
    });
    const work = request(server.url, { ...post, dispatcher }).then(({ body }) => body.text());
    expect(await rejection(work)).toBe(failed);
  });

  test('an abort of the caller’s ends it', async () => {
    server.plan('commit_then_hang');
    const { notes, mark } = marking();
    const caller = new AbortController();
    const work = rejection(
      request(server.url, { ...post, dispatcher: agentWith({ mark }), signal: caller.signal }),
    );
    await arrived(1);
    caller.abort();
    expect(await work).toMatchObject({ name: 'AbortError' });
    expect(notes.at(-1)).toBe('none');
  });
});
