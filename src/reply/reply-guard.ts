import { announces, findingsOf } from './check.ts';
import { Composer, isInterjection } from './compose.ts';
import { wordingFor } from './correction.ts';
import { type Ground, groundOf, languageFor } from './ground.ts';
import { type Judged, judge, noThread, type Thread } from './judge.ts';
import type { Language } from './lexicon/compile.ts';
import { languageOf } from './lexicon/languages.ts';
import { amountsLookahead, itemObjected, listEnds, outlookAt } from './outlook.ts';
import { type Piece, type ReadingState, readPiece } from './piece.ts';
import { summaryOf } from './summary.ts';
import type { ReplyEntry, ReplyFinding, ReplyOptions } from './types.ts';
import { nextUnit, type UnitCursor } from './units.ts';
import { objectionTo, openWrites } from './unreadable.ts';

/** What a stream of text is held against; entries are asked for anew, since they change meanwhile. */
export interface ReplyStreamOptions extends ReplyOptions {
  entries(): readonly ReplyEntry[] | Promise<readonly ReplyEntry[]>;
  /** Told of each finding when its sentence is replaced. */
  onFinding?(finding: ReplyFinding): void;
}

/** Most pieces that are held back for what may follow. */
const mostHeld = 40;
const longestPending = 4_000;
/** So much text tells its language for good. */
const enoughToTell = 600;
const keptBehind = 8_000;

/** Reads a reply as it comes, and says what of it may be shown. */
export class ReplyGuard {
  readonly #options: ReplyStreamOptions;
  #text = '';
  /** How much of the stream was cut off before `#text`. */
  #offset = 0;
  readonly #cursor: UnitCursor = { at: 0, fenced: false, plainUntil: 0 };
  readonly #reading: ReadingState = { table: null, options: false };
  #held: Piece[] = [];
  #thread: Thread = noThread;
  readonly #composer = new Composer();
  #asks = false;
  #replaced = false;
  /** Whether a blank came in since it was looked at last. */
  #blank = false;
  #language: Language | undefined;
  #ground: Ground | undefined;
  #known: readonly ReplyEntry[] = [];
  #reads: ReplyOptions['reads'];

  constructor(options: ReplyStreamOptions) {
    this.#options = options;
  }

  /** Takes more text; returns what may be shown now. */
  async push(chunk: string): Promise<string> {
    this.#text += chunk;
    const pending = this.#text.length - this.#cursor.at;
    // Only text after a blank, or too much of it, can have made a sentence whole.
    if (chunk.trim() === '') return '';
    this.#blank ||= /\s|[。！？]/.test(this.#text.slice(-chunk.length - 1));
    if (!this.#blank && pending < longestPending) return '';
    this.#blank = false;
    return this.#take(false);
  }

  /** Takes the end of the text; returns the rest of what may be shown. */
  end(): Promise<string> {
    return this.#take(true);
  }

  async #take(final: boolean): Promise<string> {
    const entries = await this.#options.entries();
    const language = this.#language ?? languageFor(this.#text, this.#options);
    if (this.#text.length > enoughToTell) this.#language = language;
    const ground = this.#groundFor(entries, language ?? (languageOf('en') as Language));
    if (!language) return this.#takeUnread(ground);
    let shown = '';
    let from = this.#cursor.at;
    for (;;) {
      const unit = nextUnit(this.#text, this.#cursor, final);
      if (!unit) break;
      const piece = readPiece(this.#text, unit, from, language, ground.own, this.#reading);
      from = unit.end;
      this.#asks ||= piece.readings.some((reading) => reading.asks);
      this.#held.push(piece);
      shown += this.#release(ground, false);
    }
    if (final) {
      this.#asks ||= announces(this.#held.at(-1));
      shown += this.#release(ground, true);
      if (!this.#composer.corrected) shown += this.#text.slice(this.#cursor.at);
    }
    this.#forget();
    return shown;
  }

  /** What stands in a language that cannot be read is shown only while no write is open. */
  #takeUnread(ground: Ground): string {
    const text =
      this.#held.map(({ source }) => source).join('') + this.#text.slice(this.#cursor.at);
    this.#held = [];
    this.#cursor.at = this.#text.length;
    if (this.#replaced) return '';
    const open = openWrites(ground.facts());
    if (open.length === 0) return text;
    this.#replaced = true;
    return summaryOf([{ objections: open.map(objectionTo) }], wordingFor(ground, this.#text));
  }

  /** What to hold against, made anew only when something has changed. */
  #groundFor(entries: readonly ReplyEntry[], language: Language): Ground {
    const { reads } = this.#options;
    const same =
      this.#ground?.language === language &&
      this.#reads === reads &&
      entries.length === this.#known.length &&
      entries.every((entry, at) => isSame(entry, this.#known[at]));
    if (!same || !this.#ground) {
      this.#ground = groundOf(entries, { ...this.#options }, language);
      this.#known = entries.map((entry) => ({ ...entry }));
      this.#reads = reads;
    }
    return this.#ground;
  }

  #release(ground: Ground, final: boolean): string {
    let shown = '';
    while (this.#held.length > 0) {
      const full = final || this.#held.length > mostHeld;
      const first = this.#judge(0, this.#thread, ground);
      if (!full && this.#mustWait(first.judged, ground)) break;
      const rest = this.#judgeRest(first, ground);
      const text = this.#composer.add(first.judged, wordingFor(ground, this.#text), {
        nextObjected: isInterjection(first.judged) && (rest[1]?.objections.length ?? 0) > 0,
        itemObjected: first.judged.heads && itemObjected(rest, 0),
      });
      for (const finding of findingsOf(first.judged, this.#offset))
        this.#options.onFinding?.(finding);
      this.#thread = first.thread;
      this.#held.shift();
      shown += text;
    }
    return shown;
  }

  #judge(at: number, thread: Thread, ground: Ground): ReturnType<typeof judge> {
    const piece = this.#held[at] as Piece;
    if (!speaks(this.#held) && thread === noThread) {
      const judged: Judged = {
        piece,
        objections: [],
        bornOutBy: [],
        inherits: null,
        ids: [],
        heads: false,
        doubt: 'none',
      };
      return { judged, thread };
    }
    return judge(piece, thread, ground.facts(), outlookAt(this.#held, at, this.#asks));
  }

  /** The judgements of what is held, for those that look ahead. */
  #judgeRest(first: ReturnType<typeof judge>, ground: Ground): readonly Judged[] {
    if (!first.judged.heads && !isInterjection(first.judged)) return [first.judged];
    const judged = [first.judged];
    let { thread } = first;
    for (let at = 1; at < this.#held.length; at += 1) {
      const next = this.#judge(at, thread, ground);
      judged.push(next.judged);
      thread = next.thread;
    }
    return judged;
  }

  /** Whether what may follow can still change what is made of the first piece that is held. */
  #mustWait(judged: Judged, ground: Ground): boolean {
    if (isInterjection(judged) && this.#held.length < 2) return true;
    if (judged.heads) {
      const open = openWrites(ground.facts()).length > 0 || judged.objections.length > 0;
      return open && !listEnds(this.#held);
    }
    if (judged.doubt === 'next') return this.#held.length < 2;
    if (judged.doubt === 'figures') return this.#held.length <= amountsLookahead;
    return judged.doubt === 'end' && !this.#asks;
  }

  /** Text that was taken is let go of, but for as much as a sentence may need to look back on. */
  #forget(): void {
    const spare = this.#cursor.at - keptBehind;
    if (spare < keptBehind || this.#held.length > 0) return;
    this.#text = this.#text.slice(spare);
    this.#offset += spare;
    this.#cursor.at -= spare;
    this.#cursor.plainUntil = Math.max(0, this.#cursor.plainUntil - spare);
  }
}

function speaks(held: readonly Piece[]): boolean {
  return held.some(({ readings }) => readings.some(({ statements }) => statements.length > 0));
}

function isSame(a: ReplyEntry, b: ReplyEntry | undefined): boolean {
  return (
    b !== undefined &&
    a.tool === b.tool &&
    a.input === b.input &&
    a.outcome === b.outcome &&
    a.data === b.data
  );
}
