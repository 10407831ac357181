import type { Clock } from '../call/clock.ts';

/** A signal for the time of one request. */
export interface Life {
  readonly signal: AbortSignal;
  /** The request is over: lets go of timers and listeners. */
  end(): void;
}

/** Ends with any of the signals. Unlike `AbortSignal.any`, leaves nothing behind on long-lived ones. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): Life {
  const joined = new AbortController();
  const leave: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const stop = (): void => joined.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    leave.push(() => signal.removeEventListener('abort', stop));
  }
  return {
    signal: joined.signal,
    end() {
      for (const one of leave) one();
    },
  };
}

/** Ends with the caller's signal, and after `requestMaxMs`. */
export function boundedLife(clock: Clock, requestMaxMs: number, caller?: AbortSignal): Life {
  const timer = new AbortController();
  const callOff = clock.after(requestMaxMs, () => {
    timer.abort(new Error(`The request took longer than ${requestMaxMs} ms (requestMaxMs).`));
  });
  const joined = joinSignals(timer.signal, caller);
  return {
    signal: joined.signal,
    end() {
      callOff();
      joined.end();
    },
  };
}
