import { asksLeave, checkReply, followedBy, headsOpenList } from './check.ts';
import { isInterjection } from './compose.ts';
import { detectedLength, type Ground, groundOf, languageFor } from './ground.ts';
import { type Judged, judge, noThread, type Thread } from './judge.ts';
import type { Language } from './lexicon/compile.ts';
import { languageOf } from './lexicon/languages.ts';
import { amountsLookahead, endsList, farthestItem, itemObjected, outlookAt } from './outlook.ts';
import { type Piece, type ReadingState, readPiece } from './piece.ts';
import type { ReplyEntry, ReplyFinding, ReplyOptions } from './types.ts';
import { nextUnit, type UnitCursor } from './units.ts';
import { openWrites } from './unreadable.ts';

/** What a stream of text is held against; entries are asked for anew, since they change meanwhile. */
export interface ReplyStreamOptions extends ReplyOptions {
  entries(): readonly ReplyEntry[] | Promise<readonly ReplyEntry[]>;
  /** Told of each finding once the text has ended and what it says is replaced. */
  onFinding?(finding: ReplyFinding): void;
}

const longestPending = 4_000;
/** So much text tells its language for good. */
const enoughToTell = 600;
const keptBehind = 8_000;

/**
 * Reads a reply as it comes, and says what of it may be shown: sentence by sentence while nothing is
 * contradicted, and from the first contradiction on nothing until the whole can be checked.
 */
export class ReplyGuard {
  readonly #options: ReplyStreamOptions;
  /** Everything that came in, in its pieces, for the check of the whole. */
  readonly #whole: string[] = [];
  /** How much of it was shown. */
  #shown = 0;
  /** What is being read, with as much before it as a sentence may need to look back on. */
  #text = '';
  readonly #cursor: UnitCursor = { at: 0, fenced: false, plainUntil: 0 };
  readonly #reading: ReadingState = { table: null, options: false };
  /** What was read and is not released yet begins at `#first`. */
  #held: Piece[] = [];
  #first = 0;
  /** How many pieces that end a list are held after the first. */
  #listEnds = 0;
  #thread: Thread = noThread;
  #asks = false;
  /** Whether a question that was shown stands behind what is read. */
  #asked = false;
  /** Whether nothing between what is held first and the next question is contradicted; told once. */
  #reachesQuestion: boolean | undefined;
  /** Whether something was contradicted: the rest waits for the end. */
  #stopped = false;
  /** Whether a blank came in since it was looked at last. */
  #blank = false;
  /** Null once it is told that the text cannot be read. */
  #language: Language | null | undefined;
  #ground: Ground | undefined;
  #known: readonly ReplyEntry[] = [];
  #reads: ReplyOptions['reads'];

  constructor(options: ReplyStreamOptions) {
    this.#options = options;
  }

  /** Takes more text; returns what may be shown now. */
  async push(chunk: string): Promise<string> {
    const before = this.#whole.at(-1)?.slice(-1) ?? '';
    if (chunk !== '') this.#whole.push(chunk);
    if (this.#stopped) return '';
    this.#text += chunk;
    const pending = this.#text.length - this.#cursor.at;
    // Only text after a blank, or too much of it, can have made a sentence whole.
    if (chunk.trim() === '') {
      this.#blank ||= chunk !== '';
      return '';
    }
    this.#blank ||= /\s|[。！？]/.test(before + chunk);
    if (!this.#blank && pending < longestPending) return '';
    this.#blank = false;
    return this.#take();
  }

  /** Takes the end of the text; returns the rest of what may be shown. */
  async end(): Promise<string> {
    const text = this.#whole.join('');
    const shown = text.slice(0, this.#shown);
    const { verdict, reply, findings } = checkReply(
      text,
      await this.#options.entries(),
      this.#options,
    );
    if (verdict === 'pass') return text.slice(this.#shown);
    for (const finding of findings) this.#options.onFinding?.(finding);
    if (reply.startsWith(shown)) return reply.slice(shown.length);
    // What was true when it was shown stays; what is true of the rest follows it.
    return followedBy(shown, reply).slice(shown.length);
  }

  async #take(): Promise<string> {
    const entries = await this.#options.entries();
    const language = this.#tellLanguage();
    const ground = this.#groundFor(entries, language ?? (languageOf('en') as Language));
    // What cannot be read is shown as it is only while no write is open.
    if (!language && openWrites(ground.facts()).length > 0) return '';
    let shown = '';
    let from = this.#cursor.at;
    while (!this.#stopped) {
      const unit = nextUnit(this.#text, this.#cursor, false);
      if (!unit) break;
      const piece = readPiece(this.#text, unit, from, ground.language, ground.own, this.#reading);
      from = unit.end;
      this.#asks ||= asksLeave(piece);
      if (this.#held.length > this.#first && endsList(piece)) this.#listEnds += 1;
      this.#held.push(piece);
      shown += this.#release(ground);
    }
    this.#shown += shown.length;
    this.#forget();
    return shown;
  }

  #tellLanguage(): Language | undefined {
    if (this.#language !== undefined) return this.#language ?? undefined;
    const language = languageFor(this.#text, this.#options);
    const enough = language ? this.#text.length > enoughToTell : this.#text.length > detectedLength;
    if (enough) this.#language = language ?? null;
    return language;
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

  #release(ground: Ground): string {
    let shown = '';
    for (let first = this.#held[this.#first]; first; first = this.#held[this.#first]) {
      const { judged, thread } = this.#judge(this.#first, this.#thread, ground);
      if (this.#mustWait(judged, ground)) break;
      if (!this.#isSafe(judged, thread, ground)) {
        this.#stopped = true;
        break;
      }
      this.#thread = thread;
      shown += first.source;
      this.#asked ||= asksLeave(first);
      this.#first += 1;
      const next = this.#held[this.#first];
      if (next && endsList(next)) this.#listEnds -= 1;
    }
    // Now and then only, so that what is held moves once for each piece.
    if (this.#first === this.#held.length || this.#first > farthestItem) {
      this.#held.splice(0, this.#first);
      this.#first = 0;
    }
    return shown;
  }

  #judge(
    at: number,
    thread: Thread,
    ground: Ground,
    asks: boolean = this.#asks,
  ): ReturnType<typeof judge> {
    const piece = this.#held[at] as Piece;
    return judge(piece, thread, ground.facts(), outlookAt(this.#held, at, asks));
  }

  /** Whether the first piece stands as it is, whatever becomes of those after it. */
  #isSafe(judged: Judged, thread: Thread, ground: Ground): boolean {
    if (judged.objections.length > 0) return false;
    if (this.#restsOnQuestion(ground) && !this.#questionFollows(ground)) return false;
    if (headsOpenList(judged, ground) && itemObjected(this.#judgeList(ground), 0)) return false;
    if (!isInterjection(judged)) return true;
    const next = this.#judge(this.#first + 1, thread, ground);
    return next.judged.objections.length === 0;
  }

  /** Whether the first piece is no promise only because the user is asked further on. */
  #restsOnQuestion(ground: Ground): boolean {
    if (this.#asked || !this.#asks) return false;
    const { judged } = this.#judge(this.#first, this.#thread, ground, false);
    return judged.objections.length > 0 || judged.doubt === 'end';
  }

  /** Whether that question is shown: from the first contradiction on, nothing of the model's is. */
  #questionFollows(ground: Ground): boolean {
    this.#reachesQuestion ??= this.#judgeUntilQuestion(ground);
    return this.#reachesQuestion;
  }

  #judgeUntilQuestion(ground: Ground): boolean {
    let thread = this.#thread;
    for (let at = this.#first; at < this.#held.length; at += 1) {
      const next = this.#judge(at, thread, ground);
      if (next.judged.objections.length > 0) return false;
      if (asksLeave(this.#held[at] as Piece)) return true;
      thread = next.thread;
    }
    return false;
  }

  /** The judgements of the first piece and of the items that may follow it. */
  #judgeList(ground: Ground): readonly Judged[] {
    let thread = this.#thread;
    const last = Math.min(this.#held.length, this.#first + farthestItem);
    return Array.from({ length: last - this.#first }, (_, ahead) => {
      const at = this.#first + ahead;
      const next = this.#judge(at, thread, ground);
      thread = next.thread;
      return next.judged;
    });
  }

  /** Whether what may follow can still change what is made of the first piece that is held. */
  #mustWait(judged: Judged, ground: Ground): boolean {
    const held = this.#held.length - this.#first;
    if (isInterjection(judged) && held < 2) return true;
    if (judged.heads) return headsOpenList(judged, ground) && this.#listEnds === 0;
    if (judged.doubt === 'next') return held < 2;
    if (judged.doubt === 'figures') return held <= amountsLookahead;
    return judged.doubt === 'end' && !this.#asks;
  }

  /** Text that was taken is let go of, but for as much as a sentence may need to look back on. */
  #forget(): void {
    const spare = this.#cursor.at - keptBehind;
    if (spare < keptBehind) return;
    this.#text = this.#text.slice(spare);
    this.#cursor.at -= spare;
    this.#cursor.plainUntil = Math.max(0, this.#cursor.plainUntil - spare);
  }
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
