/**
 * Where time comes from, so that a test or a simulation can bring its own.
 * `nowMs` is wall time since 1970 and may jump; `monotonicMs` never runs back.
 */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** Calls `task` once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, task: () => void): () => void;
}

/** setTimeout fires at once for longer delays. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's own clocks. Timers keep the process alive, as the work they bound does. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), longestTimerMs));
    return () => clearTimeout(timer);
  },
};
