import { correctionOf, type Wording } from './correction.ts';
import { is } from './helpers.ts';
import type { Judged } from './judge.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Objection } from './objection.ts';
import type { Piece } from './piece.ts';
import type { Reading } from './statement.ts';

/** How a piece stands among those after it. */
export interface Ahead {
  /** Whether the next piece is objected to. */
  readonly nextObjected: boolean;
  /** Whether an item under this heading is objected to. */
  readonly itemObjected: boolean;
}

/**
 * Puts together the text that is shown, piece by piece: each as it was, a correction in its place,
 * or nothing where it only made sense beside what was false.
 */
export class Composer {
  /** Corrections that stand in the text already. */
  readonly #said = new Set<string>();
  /** Identifiers that something false was said of. */
  readonly #disputed = new Set<string>();
  /** The blanks before what was left out last, which the next piece may need. */
  #gap = '';
  #corrected = false;
  /** Whether the heading that the next items stand under was replaced. */
  #headless = false;

  /** Whether anything was replaced or left out so far. */
  get corrected(): boolean {
    return this.#corrected;
  }

  /** What is shown for the next piece. */
  add(judged: Judged, wording: Wording, ahead: Ahead): string {
    const { piece, objections, inherits } = judged;
    const listed = piece.unit.kind === 'item' || piece.unit.kind === 'row';
    if (!listed && piece.unit.opensLine) this.#headless = false;
    if (objections.length > 0) return this.#correct(judged, wording);
    if (judged.heads && ahead.itemObjected) {
      this.#headless = true;
      return this.#spaced(judged, wording.language.writing.opening);
    }
    if (this.#headless && inherits) {
      const text = confirmations(inherits, wording);
      return text === '' ? this.#leaveOut(judged) : this.#spaced(judged, text);
    }
    const glad = ahead.nextObjected && isInterjection(judged);
    if (glad || (this.#corrected && depends(judged, this.#disputed))) return this.#leaveOut(judged);
    const text = piece.text;
    return this.#spaced(judged, text.slice(piece.unit.textStart - piece.unit.start));
  }

  #correct(judged: Judged, wording: Wording): string {
    this.#corrected = true;
    const fresh: string[] = [];
    for (const objection of judged.objections) {
      const sentence = correctionOf(objection, wording);
      if (!this.#said.has(sentence)) fresh.push(sentence);
      this.#said.add(sentence);
      for (const id of disputedIds(objection)) this.#disputed.add(id);
    }
    return fresh.length === 0 ? this.#leaveOut(judged) : this.#spaced(judged, fresh.join(' '));
  }

  #leaveOut({ piece }: Judged): string {
    this.#corrected = true;
    const blanks = blanksBefore(piece);
    if (blanks.length > this.#gap.length) this.#gap = blanks;
    return '';
  }

  /** The text in the place of a piece; a paragraph stays one though its first sentence was left out. */
  #spaced(judged: Judged, text: string): string {
    const { unit } = judged.piece;
    const own = blanksBefore(judged.piece);
    const blanks = unit.opensLine || !this.#gap.includes('\n') ? own : this.#gap;
    this.#gap = '';
    return `${blanks}${inPlaceOf(judged, text)}`;
  }
}

/** What an item says by itself once its heading no longer says it. */
function confirmations(
  { action, entries }: NonNullable<Judged['inherits']>,
  wording: Wording,
): string {
  return entries
    .map((entry) =>
      correctionOf(
        { code: 'not_all', claim: 'done', action, entity: null, entry, reason: '' },
        wording,
      ),
    )
    .join(' ');
}

function blanksBefore({ unit, source }: Piece): string {
  return source.slice(0, source.length - (unit.end - unit.start));
}

function disputedIds({ entry, entity }: Objection): string[] {
  const ids = entry ? [...entry.targets] : [];
  if (entity) ids.push(entity.replace(/^#/, '').toUpperCase());
  return ids;
}

/** The list marker that stood before a piece, then its text, which may be another one. */
function inPlaceOf({ piece, objections }: Judged, text: string): string {
  const { unit } = piece;
  const corrected = objections.length > 0;
  if (corrected && unit.kind === 'row') return `| ${text} |`;
  const marker = piece.text.slice(0, unit.textStart - unit.start);
  return `${corrected ? marker.replace(/\[[xX]\]/, '[ ]') : marker}${text}`;
}

const longestInterjection = 4;

/** "Great news!", "Done!": joy over what turns out not to be so. */
export function isInterjection({ piece, ids }: Judged): boolean {
  if (piece.unit.kind !== 'text' || ids.length > 0) return false;
  const [reading] = piece.readings;
  if (!reading || !exclaims(reading)) return false;
  return reading.lexemes.filter(({ kind }) => kind !== 'mark').length <= longestInterjection;
}

function exclaims({ lexemes }: Reading): boolean {
  for (let at = lexemes.length - 1; at >= 0; at -= 1) {
    const { kind, text } = lexemes[at] as Lexeme;
    if (kind !== 'mark') return false;
    if (text === '!' || text === ':') return true;
  }
  return false;
}

/** Whether a piece leans on what was said before it, which may no longer stand there. */
function depends(judged: Judged, disputed: ReadonlySet<string>): boolean {
  const { piece, ids, bornOutBy } = judged;
  if (piece.unit.kind === 'rule') return false;
  const named = ids.length > 0;
  if (ids.some(({ id }) => disputed.has(id))) return true;
  return piece.readings.some((reading) => {
    if (reading.statements.length > 0) return !named || bornOutBy.length === 0;
    if (reading.polite || reading.asks) return false;
    if (piece.unit.kind === 'item' || piece.unit.kind === 'row') return !named;
    if (named) return false;
    return reading.lexemes.some(
      (lexeme) =>
        is(lexeme, 'it') ||
        is(lexeme, 'them') ||
        is(lexeme, 'future') ||
        is(lexeme, 'receive') ||
        is(lexeme, 'span') ||
        is(lexeme, 'request') ||
        is(lexeme, 'money') ||
        lexeme.info.noun !== undefined ||
        lexeme.info.thing !== undefined ||
        lexeme.info.done !== undefined ||
        '$€£'.includes(lexeme.text),
    );
  });
}
