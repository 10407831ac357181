import { setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRows, Transactions, Work } from '../ledger/stored-ledger.ts';
import { isBusy, type SqliteDatabase, type SqliteStatement } from './driver.ts';
import type { RecentRows } from './recent-rows.ts';

/** At most this many works share a commit, so that none of them holds the event loop up for long. */
const longestBatch = 256;
const longestPauseMs = 20;

interface Job {
  /** Does the work inside a transaction; what it returns hands the value out once that is committed. */
  readonly run: (rows: EntryRows, nowMs: number) => () => void;
  readonly reject: (error: unknown) => void;
  /** By the monotonic clock: when a file that stays busy is given up on. */
  readonly deadlineMs: number;
  /** Shares no commit: a batch that it was in failed. */
  isAlone: boolean;
}

/** Options of {@link groupCommit}. */
export interface GroupCommitOptions {
  readonly nowMs: () => number;
  /** How long a work waits for a file that another process keeps busy. */
  readonly busyMs: number;
  /** Called once all that was queued is done. */
  readonly onClose: () => void;
}

/**
 * Transactions on one connection, where works that come in together are committed together: what is
 * queued when the event loop comes round shares one commit, and a lone work has its own at once.
 */
export function groupCommit(
  database: SqliteDatabase,
  rows: RecentRows,
  options: GroupCommitOptions,
): Transactions {
  const { inWrite, inRead } = transactionsOn(database, rows);
  const queue: Job[] = [];
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  function checkOpen(): void {
    if (closing !== undefined) throw new Error('The ledger is closed.');
  }

  async function write<T>(work: Work<T>): Promise<T> {
    checkOpen();
    return new Promise<T>((resolve, reject) => {
      const run: Job['run'] = (its, nowMs) => {
        const value = work(its, nowMs);
        return () => resolve(value);
      };
      const deadlineMs = performance.now() + options.busyMs;
      queue.push({ run, reject, deadlineMs, isAlone: false });
      draining ??= drain();
    });
  }

  /** Reads block nobody and are blocked by nobody, but for the moments in which a log is recovered. */
  async function read<T>(work: Work<T>): Promise<T> {
    const deadlineMs = performance.now() + options.busyMs;
    for (;;) {
      checkOpen();
      try {
        return inRead(() => work(rows, options.nowMs()));
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() >= deadlineMs) throw busyTooLong(error);
      }
      await pause();
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const isFree = commit(takeBatch(queue));
      if (!isFree) await pause();
    }
    draining = undefined;
  }

  /** Runs a batch in one transaction. Where the file is busy the batch goes back, and the answer is false. */
  function commit(batch: readonly Job[]): boolean {
    let running: Job | undefined;
    try {
      const handOut = inWrite(() => {
        const results = batch.map((job) => {
          running = job;
          return job.run(rows, options.nowMs());
        });
        running = undefined;
        return results;
      });
      for (const each of handOut) each();
    } catch (error) {
      if (isBusy(error)) {
        giveBack(batch, error);
        return false;
      }
      undone(batch, running, error);
    }
    return true;
  }

  /** A failure is told to a work that was alone; else the one that threw, or each, is tried by itself. */
  function undone(batch: readonly Job[], thrower: Job | undefined, error: unknown): void {
    if (batch.length === 1) {
      batch[0]?.reject(error);
      return;
    }
    const apart = batch.map((job) =>
      thrower === undefined || job === thrower ? { ...job, isAlone: true } : job,
    );
    queue.unshift(...apart);
  }

  function giveBack(batch: readonly Job[], cause: unknown): void {
    const nowMs = performance.now();
    for (const job of [...batch, ...queue.splice(0)]) {
      if (nowMs < job.deadlineMs) queue.push(job);
      else job.reject(busyTooLong(cause));
    }
  }

  function busyTooLong(cause: unknown): Error {
    return new Error(`The ledger's file was busy for ${options.busyMs} ms.`, { cause });
  }

  return {
    write,
    read,
    close() {
      closing ??= (draining ?? Promise.resolve()).then(options.onClose);
      return closing;
    },
  };
}

/** The next job if it shares no commit, else all that share one, up to the next that does not. */
function takeBatch(queue: Job[]): readonly Job[] {
  const firstAlone = queue.findIndex((job) => job.isAlone);
  const shared = firstAlone === -1 ? queue.length : firstAlone;
  return queue.splice(0, Math.max(1, Math.min(shared, longestBatch)));
}

type InTransaction = <T>(work: () => T) => T;

function transactionsOn(
  database: SqliteDatabase,
  rows: RecentRows,
): {
  readonly inWrite: InTransaction;
  readonly inRead: InTransaction;
} {
  const beginWrite = database.prepare('BEGIN IMMEDIATE');
  const beginRead = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const within =
    (begin: SqliteStatement): InTransaction =>
    (work) => {
      begin.run();
      try {
        rows.begin();
        const value = work();
        commit.run();
        return value;
      } catch (error) {
        rows.forget();
        rollBack(rollback);
        throw error;
      }
    };
  return { inWrite: within(beginWrite), inRead: within(beginRead) };
}

/** After a full disk, say, SQLite has rolled back by itself, and refuses to do so again. */
function rollBack(rollback: SqliteStatement): void {
  try {
    rollback.run();
  } catch {
    // The error that led here is the one to report.
  }
}

function pause(): Promise<void> {
  return sleep(1 + Math.random() * longestPauseMs);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
