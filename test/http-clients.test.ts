import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky, { HTTPError } from 'ky';
import { Agent, RetryAgent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noEvidence, rejected, type WriteCall } from '../src/index.ts';
import { desk, Remote, refundTool } from './support/refunds.ts';
import { type Behaviour, startWriteServer, type WriteServer } from './support/write-server.ts';

let server: WriteServer;
/** Keeps one connection, which was opened outside any run. */
let warm: Agent;

beforeEach(async () => {
  server = await startWriteServer();
  warm = new Agent({ connections: 1 });
  server.plan({ status: 404 });
  await (await request(server.url, { dispatcher: warm })).body.dump();
});

afterEach(async () => {
  await warm.close();
  await server.close();
});

/** Sends one write with the client's own defaults, or as docs/http.md switches its retries off. */
interface Client {
  readonly name: string;
  /** After this it sends a write again by itself. */
  readonly after: Behaviour;
  /** Resolves to the status it ends with, or rejects. */
  send(url: string, isOff: boolean): Promise<number>;
}

const retrying = axios.create({ validateStatus: () => true });
axiosRetry(retrying);

const soon = { minTimeout: 1, maxTimeout: 1 };
const onlySafe = { methods: ['GET' as const, 'HEAD' as const, 'OPTIONS' as const] };

const clients: readonly Client[] = [
  {
    name: 'axios-retry (POST)',
    after: 'commit_then_reset',
    async send(url, isOff) {
      const off = { 'axios-retry': { retries: 0 }, maxRedirects: 0 };
      return (await retrying.post(url, '{}', isOff ? off : {})).status;
    },
  },
  {
    name: 'axios (POST, redirected)',
    after: { redirect: 307, commits: true },
    async send(url, isOff) {
      const off = isOff ? { maxRedirects: 0 } : {};
      return (await axios.post(url, '{}', { validateStatus: () => true, ...off })).status;
    },
  },
  {
    name: 'got (PUT)',
    after: 'commit_then_503',
    async send(url, isOff) {
      const off = { retry: { limit: 0 }, followRedirect: false };
      const on = { retry: { calculateDelay: soonAsked } };
      const options = { throwHttpErrors: false, body: '{}', ...(isOff ? off : on) };
      return (await got.put(url, options)).statusCode;
    },
  },
  {
    name: 'ky (PUT)',
    after: 'commit_then_503',
    async send(url, isOff) {
      const off = { retry: 0, redirect: 'manual' } as const;
      const on = { retry: { delay: () => 1 } };
      const answer = ky.put(url, { body: '{}', ...(isOff ? off : on) });
      return (await answer.catch(answerOf)).status;
    },
  },
  {
    name: 'undici’s RetryAgent (DELETE)',
    after: 'commit_then_503',
    async send(url, isOff) {
      const agent = new Agent();
      const dispatcher = new RetryAgent(agent, isOff ? { ...soon, ...onlySafe } : soon);
      try {
        const { statusCode, body } = await request(url, { method: 'DELETE', dispatcher });
        await body.dump();
        return statusCode;
      } finally {
        await agent.close();
      }
    },
  },
  {
    name: 'undici’s RetryAgent on a connection that was open (DELETE)',
    after: 'commit_then_503',
    async send(url, isOff) {
      const dispatcher = new RetryAgent(warm, isOff ? { ...soon, ...onlySafe } : soon);
      const { statusCode, body } = await request(url, { method: 'DELETE', dispatcher });
      await body.dump();
      return statusCode;
    },
  },
];

/** What arrived, but for what opened the warm connection. */
function writes(): readonly object[] {
  return server.requests.filter(({ method }) => method !== 'GET');
}

/** Waits a moment where got would wait a second. */
function soonAsked({ computedValue }: { computedValue: number }): number {
  return Math.min(computedValue, 1);
}

/** ky retries only what it would throw. */
function answerOf(error: unknown): Response {
  if (error instanceof HTTPError) return error.response;
  throw error;
}

/** Calls a tool that sends by `act`. */
async function refundBy(act: (ctx: WriteCall<unknown>) => Promise<unknown>) {
  const spec = { run: async (_input: unknown, ctx: WriteCall<unknown>) => act(ctx) };
  const { refund, reports } = desk([refundTool(new Remote(), spec as never)]);
  return { result: await refund({ orderId: 4512, amountCents: 2000 }), reports: reports() };
}

/** Sends marked, and takes a 404 for a refusal. */
function marked(client: Client, isOff: boolean) {
  return refundBy(async (ctx) => {
    await ctx.dispatch(async () => {
      const status = await client.send(server.url, isOff).catch(() => 0);
      return status === 404 ? rejected('answered 404') : noEvidence(`answered ${status}`);
    });
    throw new Error('No success.');
  });
}

describe.each(clients)('$name', (client) => {
  test('sends a write again by itself, and its refusal then is no proof', async () => {
    server.plan(client.after, { status: 404 });
    const { result, reports } = await marked(client, false);
    expect(writes()).toHaveLength(2);
    expect(server.effects).toBe(1);
    expect(result).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(reports).toContain('hidden_retry');
  });

  test('sends once with that switched off', async () => {
    server.plan(client.after, { status: 404 });
    const { result, reports } = await marked(client, true);
    expect(writes()).toHaveLength(1);
    expect(result.outcome).toBe('unknown');
    expect(reports).not.toContain('hidden_retry');
  });

  test('is seen where it sends without a mark', async () => {
    server.plan({ status: 404 });
    const { result, reports } = await refundBy(async () => {
      await client.send(server.url, true);
      throw new Error('No success.');
    });
    expect(result).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(reports).toContain('unmarked_send');
  });
});
