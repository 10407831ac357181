import { pause } from '../call/clock.ts';
import { failed, ok, type ToolResult } from '../call/result.ts';
import { outsideRun } from '../execute/run-scope.ts';
import type { Entry } from '../ledger/entry.ts';
import { type Parts, step } from './parts.ts';
import { openResult } from './told.ts';

/** What became of a write after the model had been told something else. */
export interface Settlement {
  readonly key: string;
  readonly tool: string;
  readonly scope: string;
  /** As the model wrote them. */
  readonly args: unknown;
  readonly result: ToolResult;
}

/** Told of each settlement at least once, also after a restart; a rejection makes it be told again. */
export type SettlementHandler = (settlement: Settlement) => unknown;

const pollMs = 15_000;
const pageSize = 100;

/** Tells the host of settlements, durably: an entry is crossed off only once every handler took it. */
export class Settlements {
  readonly #parts: Parts;
  readonly #handlers = new Set<SettlementHandler>();
  #telling = false;
  #again = false;
  #polling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  on(handler: SettlementHandler): () => void {
    this.#handlers.add(handler);
    this.wake();
    this.#poll();
    return () => this.#handlers.delete(handler);
  }

  /** Looks for settlements now; another look follows if one is under way. */
  wake(): void {
    if (this.#handlers.size === 0) return;
    this.#again = true;
    if (this.#telling) return;
    this.#telling = true;
    this.#parts.background.follow(outsideRun(() => this.#tellAll()));
  }

  /** Another process may have settled something. */
  #poll(): void {
    if (this.#polling) return;
    this.#polling = true;
    this.#parts.settings.clock.after(
      pollMs,
      () => {
        this.#polling = false;
        if (this.#parts.closing.aborted || this.#handlers.size === 0) return;
        this.wake();
        this.#poll();
      },
      'idle',
    );
  }

  async #tellAll(): Promise<void> {
    const { settings, closed } = this.#parts;
    try {
      for (
        let delayMs = 100;
        this.#again && !closed.aborted;
        delayMs = Math.min(delayMs * 2, 30_000)
      ) {
        this.#again = false;
        const allTold = await this.#tellPages().catch(() => false);
        if (allTold) continue;
        if (this.#parts.closing.aborted) return;
        this.#again = true;
        await pause(settings.clock, delayMs, this.#parts.closing);
      }
    } finally {
      this.#telling = false;
    }
  }

  async #tellPages(): Promise<boolean> {
    let allTold = true;
    let after: Entry | undefined;
    for (;;) {
      const query = { announce: true as const, limit: pageSize, ...(after ? { after } : {}) };
      const page = await step(this.#parts, 'list', this.#parts.ledger.list(query));
      for (const entry of page) allTold = (await this.#tellOne(entry)) && allTold;
      after = page.at(-1);
      if (page.length < pageSize || after === undefined) return allTold;
    }
  }

  async #tellOne(entry: Entry): Promise<boolean> {
    const { ledger, events } = this.#parts;
    try {
      const settlement = await settlementOf(entry, this.#parts);
      for (const handler of this.#handlers) await handler(settlement);
      await step(this.#parts, 'announced', ledger.announced(entry.key, entry.version));
      return true;
    } catch (cause) {
      const message = `a handler of onSettled failed for ${entry.tool}; it will be told again`;
      const code = 'settled_handler_failed';
      events.report({ code, tool: entry.tool, key: entry.key, cause, message });
      return false;
    }
  }
}

async function settlementOf(entry: Entry, parts: Parts): Promise<Settlement> {
  const { key, tool, scope, state } = entry;
  const args: unknown = JSON.parse(await parts.settings.sealer.open(entry.input));
  const kept = await openResult(entry, parts);
  const result =
    kept ??
    (state === 'ok'
      ? ok('It was done.')
      : failed('confirmed_not_done', 'It was confirmed not to have happened.'));
  return { key, tool, scope, args, result };
}
