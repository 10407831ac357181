import { correctionOf, type Wording } from './correction.ts';
import { is } from './helpers.ts';
import type { Objection } from './hold.ts';
import type { Judged } from './judge.ts';

/** What has been said and left out so far. */
export interface Composition {
  /** Corrections that stand in the text already. */
  readonly said: ReadonlySet<string>;
  /** Identifiers that something false was said of. */
  readonly disputed: ReadonlySet<string>;
  readonly corrected: boolean;
}

/** How a composition begins. */
export const nothingSaid: Composition = { said: new Set(), disputed: new Set(), corrected: false };

/** How a piece stands among those after it. */
export interface Ahead {
  /** Whether the next piece is objected to. */
  readonly nextObjected: boolean;
  /** Whether an item under this heading is objected to. */
  readonly itemObjected: boolean;
}

/**
 * The text that is shown for a piece: itself, a correction in its place, or nothing where it only
 * made sense beside what was false.
 */
export function compose(
  judged: Judged,
  before: Composition,
  wording: Wording,
  ahead: Ahead,
): { readonly text: string; readonly after: Composition } {
  const { piece, objections } = judged;
  if (objections.length > 0) return corrected(judged, before, wording);
  if (judged.heads && ahead.itemObjected) {
    const text = inPlaceOf(judged, wording.language.writing.opening);
    return { text, after: before };
  }
  if (ahead.nextObjected && isInterjection(judged)) return { text: '', after: before };
  if (before.corrected && depends(judged, before)) return { text: '', after: before };
  return { text: piece.source, after: before };
}

function corrected(
  judged: Judged,
  before: Composition,
  wording: Wording,
): { readonly text: string; readonly after: Composition } {
  const fresh: string[] = [];
  const said = new Set(before.said);
  for (const objection of judged.objections) {
    const sentence = correctionOf(objection, wording);
    if (said.has(sentence)) continue;
    said.add(sentence);
    fresh.push(sentence);
  }
  const disputed = new Set([...before.disputed, ...judged.objections.flatMap(disputedIds)]);
  const after: Composition = { said, disputed, corrected: true };
  return { text: fresh.length === 0 ? '' : inPlaceOf(judged, fresh.join(' ')), after };
}

function disputedIds({ entry, entity }: Objection): string[] {
  const ids = entry ? [...entry.targets] : [];
  if (entity) ids.push(entity.replace(/^#/, '').toUpperCase());
  return ids;
}

/** The blanks and the list marker that stood before a piece, then the new text. */
function inPlaceOf({ piece }: Judged, text: string): string {
  const { unit, source } = piece;
  const blanks = source.slice(0, source.length - (unit.end - unit.start));
  if (unit.kind === 'row') return `${blanks}| ${text} |`;
  const marker = piece.text.slice(0, unit.textStart - unit.start);
  return `${blanks}${unit.ticked ? marker.replace(/\[[xX]\]/, '[ ]') : marker}${text}`;
}

const longestInterjection = 4;

/** "Great news!", "Done!": joy over what turns out not to be so. */
export function isInterjection({ piece, ids }: Judged): boolean {
  if (piece.unit.kind !== 'text' || ids.length > 0) return false;
  const [reading] = piece.readings;
  if (!reading || !/[!:]\W*$/.test(piece.text)) return false;
  return reading.lexemes.filter(({ kind }) => kind !== 'mark').length <= longestInterjection;
}

/** Whether a piece leans on what was said before it, which may no longer stand there. */
function depends(judged: Judged, before: Composition): boolean {
  const { piece, ids, bornOutBy } = judged;
  if (piece.unit.kind === 'rule') return false;
  const named = ids.length > 0;
  if (ids.some(({ id }) => before.disputed.has(id))) return true;
  return piece.readings.some((reading) => {
    if (reading.statements.length > 0)
      return !(named || bornOutBy.length === 0) || bornOutBy.length === 0;
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
