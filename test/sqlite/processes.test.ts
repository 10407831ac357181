import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import type { EntryState } from '../../src/ledger/entry.ts';
import { openDatabase } from '../../src/sqlite/driver.ts';
import { sqliteLedger } from '../../src/sqlite/index.ts';
import { keyOf } from '../../src/testing/ledger-cases/stage.ts';
import { bundled } from '../support/bundled.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-processes-'));
const programs: string[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const program of programs) rmSync(program);
});

function program(entry: string): string {
  const file = bundled(entry);
  programs.push(file);
  return file;
}

function started(file: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [file, ...args]);
  child.stderr.pipe(process.stderr);
  return child;
}

interface Got {
  readonly keys: readonly number[];
  readonly sent: readonly number[];
  readonly lanes: readonly number[];
}

test('four processes on one new file: each key, and each lane, is one process’s', async () => {
  const rounds = 80;
  const path = join(folder, 'race.db');
  const file = program('sqlite/racing-child.ts');
  const children = ['a', 'b', 'c', 'd'].map((name) => started(file, path, name, String(rounds)));
  const outputs = children.map((child) => {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return lines;
  });
  for (const lines of outputs) expect((await lines.next()).value).toBe('ready');
  for (const child of children) child.stdin.end('go\n');
  const got: Got[] = [];
  for (const lines of outputs) got.push(JSON.parse((await lines.next()).value));

  const all = Array.from({ length: rounds }, (_, round) => round);
  const inOrder = (field: keyof Got) => got.flatMap((its) => its[field]).toSorted((a, b) => a - b);
  expect(inOrder('keys')).toEqual(all);
  expect(inOrder('sent')).toEqual(all);
  expect(inOrder('lanes')).toEqual(all);
}, 120_000);

const rank: Readonly<Record<EntryState, number>> = {
  claimed: 1,
  dispatched: 2,
  unknown: 2,
  ok: 3,
  failed: 3,
};

test('killed in the middle of its commits: the file is sound, and all that was acknowledged is there', async () => {
  const path = join(folder, 'crash.db');
  const file = program('sqlite/crashing-child.ts');
  const acknowledged = new Map<string, EntryState>();
  for (let round = 0; round < 5; round += 1) {
    const child = started(file, path, String(round));
    const exit = once(child, 'exit');
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const [name = '', state = ''] = line.split(' ');
      acknowledged.set(name, state as EntryState);
      lines += 1;
      if (lines === 400 + 97 * round) child.kill('SIGKILL');
    }
    expect((await exit)[1]).toBe('SIGKILL');

    const ledger = sqliteLedger(path);
    for (const [name, state] of acknowledged) {
      const entry = await ledger.get(keyOf(name));
      const isThere = entry !== undefined && rank[entry.state] >= rank[state];
      expect(isThere, `${name} was ${state}, and is ${entry?.state}`).toBe(true);
    }
    await ledger.close();
    const database = openDatabase(path);
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  }
}, 120_000);
