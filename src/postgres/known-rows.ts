import type { Entry, LaneHolder } from '../ledger/entry.ts';
import type { EntryRows } from '../ledger/stored-ledger.ts';
import type { Decision, Outcome } from './compare-and-write.ts';
import { changesOf, entryOf } from './entry-json.ts';

/** More than this is not kept in mind. */
const most = 5_000;
/** Entries with longer texts are not held in memory. */
const longestText = 10_000;

/**
 * What this process believes of the rows: what it wrote or saw last, and that there is nothing where
 * it knows of nothing. A belief may be wrong; {@link Draft.decision} says what it relied on.
 */
export class KnownRows {
  readonly #entries = new Map<string, Entry>();
  readonly #lanes = new Map<string, LaneHolder>();

  entry(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  lane(lane: string): LaneHolder | undefined {
    return this.#lanes.get(lane);
  }

  /** Takes over what the database has in truth. */
  correct(draft: Draft, { entries, lanes }: Outcome): void {
    for (const key of draft.seenEntries) this.#entries.delete(key);
    for (const lane of draft.seenLanes) this.#lanes.delete(lane);
    for (const row of entries ?? []) {
      const entry = entryOf(row);
      this.#entries.set(entry.key, entry);
    }
    for (const { lane, key, token } of lanes ?? []) this.#lanes.set(lane, { key, token });
  }

  /** Forgets what a draft relied on. */
  doubt(draft: Draft): void {
    for (const key of draft.seenEntries) this.#entries.delete(key);
    for (const lane of draft.seenLanes) this.#lanes.delete(lane);
  }

  /** Keeps in mind what was written: entries only while they are open, since then they are asked for again. */
  learn(draft: Draft): void {
    if (this.#entries.size > most) this.#entries.clear();
    if (this.#lanes.size > most) this.#lanes.clear();
    for (const key of draft.seenEntries) {
      const entry = draft.get(key);
      const isOpen = entry?.settledAtMs === null && entry.input.length < longestText;
      if (isOpen) this.#entries.set(key, entry);
      else this.#entries.delete(key);
    }
    for (const lane of draft.seenLanes) {
      const holder = draft.holder(lane);
      if (holder === undefined) this.#lanes.delete(lane);
      else this.#lanes.set(lane, holder);
    }
  }
}

/** The rows as transitions see and change them, on top of what is believed; nothing is written yet. */
export class Draft implements EntryRows {
  readonly #known: KnownRows;
  readonly #entriesBefore = new Map<string, Entry | undefined>();
  readonly #lanesBefore = new Map<string, LaneHolder | undefined>();
  readonly #entries = new Map<string, Entry>();
  readonly #lanes = new Map<string, LaneHolder | null>();
  /** The lines that are to be appended to an entry's history. */
  readonly #lines = new Map<string, string>();

  constructor(known: KnownRows) {
    this.#known = known;
  }

  get seenEntries(): readonly string[] {
    return [...this.#entriesBefore.keys()];
  }

  get seenLanes(): readonly string[] {
    return [...this.#lanesBefore.keys()];
  }

  get(key: string): Entry | undefined {
    if (!this.#entriesBefore.has(key)) this.#entriesBefore.set(key, this.#known.entry(key));
    return this.#entries.get(key) ?? this.#entriesBefore.get(key);
  }

  holder(lane: string): LaneHolder | undefined {
    if (!this.#lanesBefore.has(lane)) this.#lanesBefore.set(lane, this.#known.lane(lane));
    const changed = this.#lanes.get(lane);
    return changed === undefined ? this.#lanesBefore.get(lane) : (changed ?? undefined);
  }

  put(entry: Entry, _before: Entry | undefined, line: string): void {
    this.#entries.set(entry.key, entry);
    if (line !== '') this.append(entry.key, line);
  }

  append(key: string, line: string): void {
    this.#lines.set(key, (this.#lines.get(key) ?? '') + line);
  }

  setHolder(lane: string, holder: LaneHolder | null): void {
    this.#lanes.set(lane, holder);
  }

  list(): never {
    throw new Error('Lists are read from the database.');
  }

  history(): never {
    throw new Error('Histories are read from the database.');
  }

  tally(): never {
    throw new Error('Counting is done in the database.');
  }

  purge(): never {
    throw new Error('Purging is done in the database.');
  }

  /** What was decided, and on what. */
  decision(atMs: number, clockMs: number | null): Decision {
    const inserts: Record<string, unknown>[] = [];
    const updates: { key: string; changes: Record<string, unknown>; lines: string }[] = [];
    for (const key of new Set([...this.#entries.keys(), ...this.#lines.keys()])) {
      const before = this.#entriesBefore.get(key);
      const entry = this.#entries.get(key) ?? before;
      const lines = this.#lines.get(key) ?? '';
      if (entry === undefined) continue;
      if (before === undefined) inserts.push({ ...changesOf(entry, before), history: lines });
      else updates.push({ key, changes: changesOf(entry, before), lines });
    }
    const taken: (LaneHolder & { lane: string })[] = [];
    const freed: { lane: string }[] = [];
    for (const [lane, holder] of this.#lanes) {
      if (holder !== null) taken.push({ lane, ...holder });
      else if (this.#lanesBefore.get(lane) !== undefined) freed.push({ lane });
    }
    return {
      at_ms: atMs,
      clock_ms: clockMs,
      entries: [...this.#entriesBefore].map(([key, its]) => ({
        key,
        version: its?.version ?? null,
        attempt_id: its?.attemptId ?? null,
      })),
      lanes: [...this.#lanesBefore].map(([lane, its]) => ({
        lane,
        key: its?.key ?? null,
        token: its?.token ?? null,
      })),
      inserts,
      updates,
      taken,
      freed,
      writes: inserts.length + updates.length + taken.length + freed.length,
    };
  }
}
