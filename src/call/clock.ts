/**
 * Where time comes from, so that a test or a simulation can bring its own.
 * `nowMs` is wall time since 1970 and may jump; `monotonicMs` never runs back.
 */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /**
   * Calls `task` once after `delayMs`; the returned function calls it off. A timer keeps the process
   * alive, as the work that it bounds does, unless it is `idle`.
   */
  after(delayMs: number, task: () => void, kind?: 'idle'): () => void;
}

/** setTimeout fires at once for longer delays. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's own clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, task, kind) {
    const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), longestTimerMs));
    if (kind === 'idle') timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or as soon as the signal is aborted. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = clock.after(delayMs, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}
