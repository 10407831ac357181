import type { Entry } from '../ledger/entry.ts';

/** The column of each field of an entry. */
const columnOf: Readonly<Record<keyof Entry, string>> = {
  key: 'key',
  scope: 'scope',
  tool: 'tool',
  lane: 'lane',
  turn: 'turn',
  fingerprint: 'fingerprint',
  input: 'input',
  state: 'state',
  generation: 'generation',
  token: 'token',
  attemptId: 'attempt_id',
  leaseUntilMs: 'lease_until_ms',
  sendByMs: 'send_by_ms',
  patientUntilMs: 'patient_until_ms',
  firstSentAtMs: 'first_sent_at_ms',
  unproven: 'unproven',
  marked: 'marked',
  restsOn: 'rests_on',
  provenToken: 'proven_token',
  failedBy: 'failed_by',
  verdict: 'verdict',
  result: 'result',
  note: 'note',
  keepsLane: 'keeps_lane',
  replayMs: 'replay_ms',
  createdAtMs: 'created_at_ms',
  updatedAtMs: 'updated_at_ms',
  settledAtMs: 'settled_at_ms',
  toldAtMs: 'told_at_ms',
  asks: 'asks',
  askAtMs: 'ask_at_ms',
  announce: 'announce',
  version: 'version',
};

const fields = Object.keys(columnOf) as (keyof Entry)[];

/** The columns of an entry. */
export const columns: readonly string[] = Object.values(columnOf);

/** The columns in which an entry differs from what it was: all of them where it is new. */
export function changesOf(entry: Entry, before: Entry | undefined): Record<string, unknown> {
  const changed = fields.filter((field) => entry[field] !== before?.[field]);
  return Object.fromEntries(changed.map((field) => [columnOf[field], entry[field]]));
}

/** The entry that PostgreSQL's JSON of a row holds: its columns in any order. */
export function entryOf(row: unknown): Entry {
  const values = row as Record<string, unknown>;
  return Object.fromEntries(
    fields.map((field) => [field, values[columnOf[field]]]),
  ) as unknown as Entry;
}
