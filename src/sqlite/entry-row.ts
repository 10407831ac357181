import type { Entry } from '../ledger/entry.ts';
import type { SqliteValue } from './driver.ts';

type Kind = 'plain' | 'flag' | 'json';

/** How each field of an entry is kept. */
const kinds: Readonly<Record<keyof Entry, Kind>> = {
  key: 'plain',
  scope: 'plain',
  tool: 'plain',
  lane: 'plain',
  turn: 'plain',
  fingerprint: 'plain',
  input: 'plain',
  state: 'plain',
  generation: 'plain',
  token: 'plain',
  attemptId: 'plain',
  leaseUntilMs: 'plain',
  sendByMs: 'plain',
  patientUntilMs: 'plain',
  firstSentAtMs: 'plain',
  unproven: 'plain',
  marked: 'flag',
  restsOn: 'plain',
  provenToken: 'plain',
  failedBy: 'plain',
  verdict: 'json',
  result: 'plain',
  note: 'plain',
  keepsLane: 'flag',
  replayMs: 'plain',
  createdAtMs: 'plain',
  updatedAtMs: 'plain',
  settledAtMs: 'plain',
  toldAtMs: 'plain',
  asks: 'plain',
  askAtMs: 'plain',
  announce: 'flag',
  version: 'plain',
};

const fields = Object.keys(kinds) as (keyof Entry)[];
const columns = new Map(
  fields.map((field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);
const columnOf = (field: keyof Entry): string => columns.get(field) ?? field;
const flags = fields.filter((field) => kinds[field] === 'flag');
const documents = fields.filter((field) => kinds[field] === 'json');
/** `SELECT` of the columns under the names of an entry's fields. */
export const selectEntries: string = `SELECT ${fields.map((field) => `${columnOf(field)} AS ${field}`).join(', ')} FROM entries`;

/** Writes {@link valuesOf} a new entry, and the first line of its history. */
export const insertEntry: string = `INSERT INTO entries (${fields.map(columnOf).join(', ')}, history)
  VALUES (${fields.map(() => '?').join(', ')}, ?)`;

/** The columns in which an entry differs from what it was: the others, and their indexes, are left alone. */
export function changesOf(
  entry: Entry,
  before: Entry,
): { readonly assignments: string; readonly values: readonly SqliteValue[] } {
  const changed = fields.filter((field) => entry[field] !== before[field]);
  return {
    assignments: changed.map((field) => `${columnOf(field)} = ?`).join(', '),
    values: changed.map((field) => stored(entry[field])),
  };
}

/** An entry's values, in the order that {@link insertEntry} takes them. */
export function valuesOf(entry: Entry): SqliteValue[] {
  return fields.map((field) => stored(entry[field]));
}

/** The entry that a row of {@link selectEntries} holds. */
export function entryOf(row: unknown): Entry {
  const entry = { ...(row as Record<string, unknown>) };
  for (const field of flags) entry[field] = entry[field] === 1;
  for (const field of documents) {
    const text = entry[field];
    entry[field] = typeof text === 'string' ? JSON.parse(text) : null;
  }
  return entry as unknown as Entry;
}

function stored(value: Entry[keyof Entry]): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
