/** The durations of a simulated world, in milliseconds: as in life, but closer together. */
export const times = {
  timeoutMs: 10_000,
  ledgerMs: 5000,
  leaseMs: 15_000,
  waitMs: 20_000,
  requestMaxMs: 40_000,
  marginMs: 10_000,
  replayMs: 60_000,
  /** How long the model remote honours a key. */
  remoteKeyMs: 180_000,
  /** No call stays open longer once its tool runs: its time, and two steps of the ledger. */
  longestRunMs: 20_000,
  /** No call on a process that runs stays open longer: the sum of all bounds on its way, twice for a twin. */
  longestCallMs: 120_000,
} as const;

/** When a simulated world begins, in milliseconds since 1970. */
export const beginningMs = 1_700_000_000_000;
