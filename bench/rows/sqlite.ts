import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sqliteLedger } from 'forthright/sqlite';
import { type Effort, interleaved, type Subject, type Timing } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';
import { newWrites, replays, runtimeOn, side } from './calls.ts';

const schema = `
  CREATE TABLE entries (key TEXT PRIMARY KEY, lane TEXT, input TEXT, state TEXT, token INT, result TEXT);
  CREATE TABLE lanes (lane TEXT PRIMARY KEY, key TEXT, token INT);
`;

/** Claim, mark and complete as one would write them by hand on better-sqlite3. */
class ByHand {
  readonly database: Database.Database;
  readonly #claim: Database.Statement;
  readonly #lane: Database.Statement;
  readonly #mark: Database.Statement;
  readonly #complete: Database.Statement;
  readonly #free: Database.Statement;
  #waiting: { readonly work: () => void; readonly done: () => void }[] = [];
  #orders = 0;

  constructor(path: string) {
    this.database = new Database(path);
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.pragma('wal_autocheckpoint = 10000');
    this.database.exec(schema);
    const prepare = (sql: string): Database.Statement => this.database.prepare(sql);
    this.#claim = prepare("INSERT INTO entries VALUES (?, ?, ?, 'claimed', 1, NULL)");
    this.#lane = prepare('INSERT INTO lanes VALUES (?, ?, 1)');
    this.#mark = prepare(
      "UPDATE entries SET state = 'dispatched' WHERE key = ? AND state = 'claimed' AND token = 1",
    );
    this.#complete = prepare("UPDATE entries SET state = 'ok', result = ? WHERE key = ?");
    this.#free = prepare('DELETE FROM lanes WHERE lane = ?');
  }

  /** Three transactions, each waiting for the disk. */
  async single(): Promise<void> {
    const steps = this.#steps();
    for (const step of steps) {
      this.database.transaction(step)();
      await undefined;
    }
  }

  /** The same, with all that waits in one transaction. */
  async grouped(): Promise<void> {
    for (const work of this.#steps()) {
      await new Promise<void>((done) => {
        this.#waiting.push({ work, done });
        if (this.#waiting.length === 1) setImmediate(() => this.#flush());
      });
    }
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.database.transaction(() => {
      for (const { work } of batch) work();
    })();
    for (const { done } of batch) done();
  }

  #steps(): readonly (() => void)[] {
    this.#orders += 1;
    const key = `key-${this.#orders}-${'0'.repeat(56)}`;
    const lane = `order:${this.#orders}`;
    return [
      () => {
        this.#claim.run(key, lane, '{"orderId":1,"amountCents":2000}');
        this.#lane.run(lane, key);
      },
      () => this.#mark.run(key),
      () => {
        this.#complete.run('{"outcome":"ok"}', key);
        this.#free.run(lane);
      },
    ];
  }
}

/** Writes on SQLite that are on disk when they are told. */
export const sqlite: Row = {
  name: 'sqlite',
  work: 'a write call on SQLite, FULL, 1 and 64 at once',
  async measure(effort: Effort): Promise<Measured> {
    const folder = mkdtempSync(join(tmpdir(), 'forthright-bench-'));
    const byHand = new ByHand(join(folder, 'by-hand.db'));
    const ledger = sqliteLedger(join(folder, 'ledger.db'));
    const runtime = runtimeOn(ledger, 64);
    const raw = 'better-sqlite3, three commits';
    const grouped = 'better-sqlite3, grouped by hand';
    const beside = (atOnce: number, peer: Subject): Promise<readonly Timing[]> =>
      interleaved([peer, newWrites('forthright write', runtime, atOnce)], effort, 'wall');
    try {
      const alone = await beside(
        1,
        side(raw, 1, () => byHand.single()),
      );
      const many = await beside(
        64,
        side(grouped, 64, () => byHand.grouped()),
      );
      const again = await replays(runtime, effort, raw, () => byHand.single());
      const findings: readonly Finding[] = [
        speed(alone, 'a write call on SQLite, 1 at once', raw, 0.85),
        speed(many, 'a write call on SQLite, 64 at once', grouped, 0.85),
      ];
      return { timings: { '1 at once': alone, '64 at once': many, replay: again }, findings };
    } finally {
      await runtime.close();
      await ledger.close();
      byHand.database.close();
      rmSync(folder, { recursive: true });
    }
  },
};

/** The finding that ours does at least so much of what a peer does in the same time. */
export function speed(
  timings: readonly Timing[],
  work: string,
  beside: string,
  least: number,
): Finding {
  const ours = 'forthright write';
  const { value } = atMost(timings, { work, ours, beside, most: 0 });
  const share = 1 / value;
  const aim = `at least ${least} × its calls`;
  return { work, ours, beside, value: share, aim, isMet: share >= least };
}
