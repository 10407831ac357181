import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../src/call/clock.ts';
import { createRuntime, type Result, type Runtime } from '../src/index.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { crashingRefund, leaseMs, patienceMs } from './support/crash-refund.ts';
import { latch, silent } from './support/refunds.ts';

const args = '{"orderId":4512,"amountCents":2000}';

let folder: string;
let server: Server;
let billing: string;
/** The wire keys of what billing did, in order. */
let effects: string[];
/** What happens between an effect and its answer. */
let beforeAnswer: () => Promise<void>;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forthright-crash-'));
  effects = [];
  beforeAnswer = async () => undefined;
  server = createServer(async (request, response) => {
    const done = (): string => JSON.stringify({ confirmation: `r-${effects.length}` });
    if (request.method === 'GET') {
      const isKnown = effects.includes(request.url?.split('/')[2] ?? '');
      response.writeHead(isKnown ? 200 : 404).end(done());
      return;
    }
    await request.resume().toArray();
    effects.push(String(request.headers['idempotency-key']));
    await beforeAnswer();
    response.writeHead(200).end(done());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  billing = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const program = fileURLToPath(new URL('crash-child.ts', import.meta.url));
const ledgerPath = (): string => join(folder, 'ledger.db');

/** Another process that refunds, and the lines that it says. */
function startChild(stop: string): { child: ChildProcess; line: Promise<unknown[]> } {
  const given = [ledgerPath(), billing, stop, args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...given], {
    stdio: [...stdio],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('The child has no standard output.');
  return { child, line: once(createInterface(child.stdout), 'line') };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

/** This process on the ledger that the dead one left, at a time that it can let go on. */
function reopen() {
  let passedMs = 0;
  const nowMs = (): number => Date.now() + passedMs;
  const ledger = sqliteLedger({ path: ledgerPath(), nowMs });
  const runtime: Runtime = createRuntime({
    tools: [crashingRefund(billing, 'nowhere', () => undefined)],
    ledger,
    clock: { ...systemClock, nowMs },
    logger: silent,
    reconcileEveryMs: false,
  }) as never;
  return {
    runtime,
    refund: async (): Promise<Result> =>
      (await runtime.call({ name: 'refund_order', arguments: args, scope: 'crash' })).result,
    pass: (ms: number): void => {
      passedMs += ms;
    },
    /** What the entry is after billing was asked once more, a while later. */
    asked: async (): Promise<unknown> => {
      passedMs += 60_000;
      await runtime.reconcile();
      return (await runtime.entries({}))[0];
    },
    close: async (): Promise<void> => {
      await runtime.close();
      await ledger.close();
    },
  };
}

describe('a process that is killed in the middle of a refund', () => {
  test('before the mark: nothing was sent, and once its lease is over a retry is ok', async () => {
    const { child, line } = startChild('before the mark');
    await line;
    await kill(child);
    const { refund, runtime, pass, close } = reopen();
    expect(await runtime.entries({})).toMatchObject([{ state: 'claimed', token: 1 }]);
    pass(leaseMs);
    expect(await refund()).toMatchObject({ outcome: 'ok', data: { confirmation: 'r-1' } });
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok', token: 2 }]);
    expect(effects).toHaveLength(1);
    await close();
  });

  test('after the mark, before the send: unknown, then found not to have happened, then a retry is ok', async () => {
    const { child, line } = startChild('after the mark');
    await line;
    await kill(child);
    const { refund, runtime, pass, asked, close } = reopen();
    expect(await runtime.entries({})).toMatchObject([{ state: 'dispatched', unproven: 1 }]);
    pass(leaseMs);
    expect(await refund()).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
    await expect
      .poll(asked, { timeout: 20_000 })
      .toMatchObject({ state: 'failed', failedBy: 'verdict' });
    expect(effects).toEqual([]);
    expect(await refund()).toMatchObject({ outcome: 'ok', data: { confirmation: 'r-1' } });
    expect(effects).toHaveLength(1);
    await close();
  });

  test('after the mark: it is not found not to have happened while it may still be on its way', async () => {
    const { child, line } = startChild('after the mark');
    await line;
    await kill(child);
    const { runtime, pass, close } = reopen();
    pass(leaseMs);
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 0, open: 1 });
    const [entry] = await runtime.entries({});
    const grounds = { by: 'operator', why: 'looked it up' };
    const verdict = await runtime.settle(entry?.key ?? '', 'did_not_happen', grounds);
    expect(verdict.kind).toBe('too_early');
    pass(patienceMs);
    const later = await runtime.settle(entry?.key ?? '', 'did_not_happen', grounds);
    expect(later.kind).toBe('settled');
    await close();
  });

  test('after billing did it: unknown, then found to have happened, with one effect', async () => {
    const committed = latch();
    beforeAnswer = () => {
      committed.open();
      return new Promise(() => undefined);
    };
    const { child } = startChild('nowhere');
    await committed.opened;
    await kill(child);
    const { refund, runtime, pass, asked, close } = reopen();
    expect(await runtime.entries({})).toMatchObject([{ state: 'dispatched', unproven: 1 }]);
    pass(leaseMs);
    expect(await refund()).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
    await expect.poll(asked, { timeout: 20_000 }).toMatchObject({ state: 'ok' });
    expect(await refund()).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-1' },
    });
    expect(effects).toHaveLength(1);
    await close();
  });

  test('after it was told: the same answer again, with one effect', async () => {
    const { child, line } = startChild('nowhere');
    expect(await line).toEqual(['ok']);
    await kill(child);
    const { refund, close } = reopen();
    expect(await refund()).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-1' },
    });
    expect(effects).toHaveLength(1);
    await close();
  });
});
