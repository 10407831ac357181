import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRows, Transactions, Work } from '../ledger/stored-ledger.ts';
import { type Query, sqlState } from './client.ts';
import {
  compareAndWrite,
  type Decision,
  notPrepared,
  type Outcome,
  shapeOf,
  undone,
} from './compare-and-write.ts';
import type { DatabaseClock } from './database-clock.ts';
import { Draft, KnownRows } from './known-rows.ts';

/** At most this many works share a statement. */
const longestBatch = 256;
const longestPauseMs = 20;
/** A batch that found its beliefs wrong this often is taken apart: others work on some of its rows. */
const patience = 3;

interface Job {
  readonly run: (rows: EntryRows, nowMs: number) => () => void;
  readonly reject: (error: unknown) => void;
  /** By the monotonic clock: when rows that others keep changing are given up on. */
  readonly deadlineMs: number;
  tries: number;
  /** Shares no statement. */
  isAlone: boolean;
}

interface Statement {
  readonly sql: string;
  /** The name to prepare it under, this time. */
  readonly name: () => string;
}

/** Options of {@link groupWrites}. */
export interface GroupWriteOptions {
  readonly schema: string;
  readonly clock: DatabaseClock;
  /** How long a work goes on where other processes keep changing what it needs. */
  readonly busyMs: number;
  /** Resolves once the schema is there. */
  readonly ready: () => Promise<unknown>;
}

/**
 * Decides works by the pure transitions, on what is believed of the rows, and has the database write
 * what was decided if the beliefs were right; where not, it says what is so, and they are decided anew.
 * One statement is on its way at a time; what comes in meanwhile travels together in the next.
 */
export function groupWrites(
  query: Query,
  options: GroupWriteOptions,
): Pick<Transactions, 'write' | 'close'> {
  const { clock } = options;
  const statements = new Map<string, Statement>();
  let prepares = true;
  const known = new KnownRows();
  const queue: Job[] = [];
  let draining: Promise<void> | undefined;

  function write<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run: Job['run'] = (rows, nowMs) => {
        const value = work(rows, nowMs);
        return () => resolve(value);
      };
      const deadlineMs = performance.now() + options.busyMs;
      queue.push({ run, reject, deadlineMs, tries: 0, isAlone: false });
      draining ??= drain();
    });
  }

  function statementFor(decision: Decision): Statement {
    const shape = shapeOf(decision);
    const id = shape.join();
    const statement = statements.get(id) ?? preparedAs(compareAndWrite(options.schema, shape));
    statements.set(id, statement);
    return statement;
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const batch = takeBatch(queue);
      try {
        await options.ready();
        await decide(batch);
      } catch (error) {
        failed(batch, error);
      }
    }
    draining = undefined;
  }

  async function decide(batch: readonly Job[]): Promise<void> {
    const draft = new Draft(known);
    const atMs = clock.nowMs();
    const handOut = batch.map((job) => job.run(draft, atMs));
    const outcome = await send(draft, atMs);
    if (outcome?.holds) {
      known.learn(draft);
      for (const each of handOut) each();
      return;
    }
    if (outcome !== undefined) known.correct(draft, outcome);
    await goOn(batch);
  }

  /** Undefined where somebody else made a row meanwhile that was to be made. */
  async function send(draft: Draft, atMs: number): Promise<Outcome | undefined> {
    try {
      const decision = draft.decision(atMs, clock.setMs);
      const { sql, name } = statementFor(decision);
      const [row] = await query(sql, [JSON.stringify(decision)], prepares ? name() : undefined);
      const outcome = row as Outcome;
      clock.heard(outcome.now_ms);
      return outcome;
    } catch (error) {
      known.doubt(draft);
      if (isContention(error)) return undefined;
      if (!notPrepared.has(sqlState(error) ?? '') || !prepares) throw error;
      prepares = false;
      return undefined;
    }
  }

  /** Decides a batch anew; after some tries its works go each their own way. */
  async function goOn(batch: readonly Job[]): Promise<void> {
    const nowMs = performance.now();
    const again: Job[] = [];
    for (const job of batch) {
      const tries = job.tries + 1;
      if (nowMs < job.deadlineMs) {
        again.push({ ...job, tries, isAlone: job.isAlone || tries > patience });
      } else {
        job.reject(new Error(`Others kept changing the same rows for ${options.busyMs} ms.`));
      }
    }
    queue.unshift(...again);
    if ((again[0]?.tries ?? 0) > patience) await sleep(Math.random() * longestPauseMs);
  }

  /** What PostgreSQL refuses, it refuses to the row that is at fault: the others are tried without it. */
  function failed(batch: readonly Job[], error: unknown): void {
    if (batch.length > 1 && isAboutData(error)) {
      queue.unshift(...batch.map((job) => ({ ...job, isAlone: true })));
    } else {
      for (const job of batch) job.reject(error);
    }
  }

  return {
    write,
    close: async () => draining,
  };
}

/**
 * A statement under a name by which it is prepared. The name says what the statement is, so that behind
 * a pooler it means the same to everybody; it changes with the 10th use, the 100th and so on, since a
 * plan that was made when the tables were empty reads them from end to end when they are not.
 */
function preparedAs(sql: string): Statement {
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, 16);
  let uses = 0;
  return {
    sql,
    name() {
      uses += 1;
      return `forthright_${hash}_${Math.floor(Math.log10(uses))}`;
    },
  };
}

/** Somebody else's row, a serialization failure or a deadlock: nothing was done, and trying again helps. */
function isContention(error: unknown): boolean {
  return [undone, '40001', '40P01'].includes(sqlState(error) ?? '');
}

/** Data exceptions, constraint violations and exceeded limits: nothing was done. */
function isAboutData(error: unknown): boolean {
  return ['22', '23', '54'].includes(sqlState(error)?.slice(0, 2) ?? '');
}

/** The next work if it shares no statement, else all that share one, up to the next that does not. */
function takeBatch(queue: Job[]): readonly Job[] {
  const firstAlone = queue.findIndex((job) => job.isAlone);
  const shared = firstAlone === -1 ? queue.length : firstAlone;
  return queue.splice(0, Math.max(1, Math.min(shared, longestBatch)));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
