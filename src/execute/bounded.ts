import type { Clock } from '../call/clock.ts';

/** Said when something took longer than it may. */
class TooLate extends Error {
  constructor(what: string, boundMs: number) {
    super(`${what} took longer than ${boundMs} ms.`);
    this.name = 'TooLate';
  }
}

/** The same promise, rejected with {@link TooLate} if it takes longer than `boundMs`. */
export function within<T>(
  clock: Clock,
  boundMs: number,
  what: string,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = clock.after(boundMs, () => reject(new TooLate(what, boundMs)));
    work.then(resolve, reject).finally(callOff);
  });
}
