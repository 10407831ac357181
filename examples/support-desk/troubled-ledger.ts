import type { Ledger } from 'forthright';

/** A ledger that can be told to go away, and to be slow with a mark. */
export interface TroubledLedger {
  readonly ledger: Ledger;
  /** From now on every step is refused, as when the connection to it is lost. */
  goAway(): void;
  comeBack(): void;
  /** Resolves once no step is under way. */
  calm(): Promise<void>;
  /** The next mark is written, and acknowledged only after `acknowledge`. Resolves once it is written. */
  holdMark(): { readonly written: Promise<void>; acknowledge(): void };
}

/** Wraps a ledger. */
export function troubledLedger(ledger: Ledger): TroubledLedger {
  let isAway = false;
  let underWay = 0;
  let hold: { readonly onWritten: () => void; readonly until: Promise<void> } | undefined;
  const troubled: Ledger = new Proxy(ledger, {
    get(target, name: keyof Ledger) {
      const method = target[name] as (request: unknown) => Promise<unknown>;
      return async (...args: [unknown]): Promise<unknown> => {
        if (isAway) throw new Error('the ledger is away');
        underWay += 1;
        const answer = await method.apply(target, args).finally(() => {
          underWay -= 1;
        });
        if (name !== 'mark' || hold === undefined) return answer;
        const { onWritten, until } = hold;
        hold = undefined;
        onWritten();
        await until;
        return answer;
      };
    },
  });
  return {
    ledger: troubled,
    goAway: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    async calm() {
      while (underWay > 0) await new Promise((resolve) => setImmediate(resolve));
    },
    holdMark() {
      let acknowledge = (): void => undefined;
      let onWritten = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        acknowledge = resolve;
      });
      const written = new Promise<void>((resolve) => {
        onWritten = resolve;
      });
      hold = { onWritten, until };
      return { written, acknowledge };
    },
  };
}
