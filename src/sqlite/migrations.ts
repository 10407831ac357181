/** The schema, step by step. Append only: the version of a file is the number of steps it has seen. */
export const migrations: readonly string[] = [
  `CREATE TABLE entries (
    key TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    tool TEXT NOT NULL,
    lane TEXT NOT NULL,
    turn TEXT,
    fingerprint TEXT NOT NULL,
    input TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'dispatched', 'ok', 'failed', 'unknown')),
    generation INTEGER NOT NULL,
    token INTEGER NOT NULL,
    attempt_id TEXT NOT NULL,
    lease_until_ms INTEGER,
    send_by_ms INTEGER,
    patient_until_ms INTEGER,
    first_sent_at_ms INTEGER,
    unproven INTEGER NOT NULL,
    marked INTEGER NOT NULL,
    rests_on TEXT NOT NULL,
    proven_token INTEGER,
    failed_by TEXT,
    verdict TEXT,
    result TEXT,
    note TEXT,
    keeps_lane INTEGER NOT NULL,
    replay_ms INTEGER,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    settled_at_ms INTEGER,
    told_at_ms INTEGER,
    asks INTEGER NOT NULL,
    ask_at_ms INTEGER,
    announce INTEGER NOT NULL,
    version INTEGER NOT NULL
  );
  CREATE INDEX entries_in_order ON entries (created_at_ms);
  CREATE INDEX entries_unsettled ON entries (created_at_ms) WHERE settled_at_ms IS NULL;
  CREATE INDEX entries_to_announce ON entries (created_at_ms) WHERE announce = 1;
  CREATE TABLE lanes (
    lane TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    token INTEGER NOT NULL
  );`,
  `ALTER TABLE entries ADD COLUMN history TEXT NOT NULL DEFAULT '';
  CREATE INDEX entries_of_scope ON entries (scope, created_at_ms);
  CREATE INDEX entries_of_tool ON entries (tool, created_at_ms);
  CREATE INDEX entries_of_lane ON entries (lane, created_at_ms);
  CREATE INDEX entries_failed ON entries (created_at_ms) WHERE failed_by IS NOT NULL;`,
];
