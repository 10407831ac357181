import { type Clock, systemClock } from '../call/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** The machine's clock, which can be set forward, so that nobody has to wait for a timeout. */
export class JumpingClock implements Clock {
  #aheadMs = 0;
  readonly #timers = new Set<Timer>();

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs;
  }

  after(delayMs: number, task: () => void, kind?: 'idle'): () => void {
    const end = (): void => {
      callOff();
      this.#timers.delete(timer);
    };
    const fire = (): void => {
      end();
      task();
    };
    const timer: Timer = { dueMs: this.monotonicMs() + delayMs, fire };
    const callOff = systemClock.after(delayMs, fire, kind);
    this.#timers.add(timer);
    return end;
  }

  /** Sets the clock forward: what is due by then happens now, in its order. */
  jump(ms: number): void {
    this.#aheadMs += ms;
    const nowMs = this.monotonicMs();
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= nowMs);
    for (const { fire } of due.sort((a, b) => a.dueMs - b.dueMs)) fire();
  }
}
