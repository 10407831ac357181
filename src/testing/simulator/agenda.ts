import type { Process } from './process.ts';

/** Something that is on its way and can come to an end in several ways. */
export interface Happening {
  /** What it is, in words. */
  readonly words: () => string;
  /** On the way to the ledger and back, to the remote and back, or in the code of a host. */
  readonly where: 'ledger' | 'remote' | 'host';
  /** The process in which it happens, which has to run for that; undefined: outside of all. */
  readonly owner: Process | undefined;
  /** How it can end; the first is how it does where nothing disturbs. */
  readonly ends: readonly [string, ...string[]];
  /** Whether its first end goes without saying. */
  readonly isQuiet?: true;
  happen(end: string): void;
}

/** What is on its way in a simulated world, oldest first. */
export class Agenda {
  #pending: Happening[] = [];
  readonly #names: Map<Happening, string> | undefined;
  readonly #counts = new Map<string, number>();

  /** `named`: gives each a name of its own, which a story needs and a mere trial does not. */
  constructor(named: boolean) {
    this.#names = named ? new Map() : undefined;
  }

  add(happening: Happening): void {
    this.#pending.push(happening);
    if (this.#names === undefined) return;
    const words = happening.words();
    const count = (this.#counts.get(words) ?? 0) + 1;
    this.#counts.set(words, count);
    this.#names.set(happening, count === 1 ? words : `${words} (${count})`);
  }

  /** The same in each replay of a story. */
  nameOf(happening: Happening): string {
    return this.#names?.get(happening) ?? happening.words();
  }

  /** What can happen now: what needs no process, or one that runs. */
  possible(): readonly Happening[] {
    return this.#pending.filter(({ owner }) => owner?.isRunning ?? true);
  }

  find(name: string): Happening | undefined {
    return this.possible().find((one) => this.nameOf(one) === name);
  }

  /** Lets it happen, if it is still on its way. */
  end(happening: Happening, end: string): void {
    const at = this.#pending.indexOf(happening);
    if (at < 0) return;
    this.#pending.splice(at, 1);
    this.#names?.delete(happening);
    happening.happen(end);
  }

  /** Whatever a process was waiting for never comes. */
  forget(owner: Process): void {
    this.#pending = this.#pending.filter((one) => one.owner !== owner);
  }
}
