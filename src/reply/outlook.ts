import { isHeader, type Judged, type Outlook } from './judge.ts';
import { type AmountMention, amountsIn, normalId } from './mentions.ts';
import type { Piece } from './piece.ts';

/** What the pieces after one say that bears on it. */
export function outlookAt(pieces: readonly Piece[], at: number, asks: boolean): Outlook {
  const next = pieces[at + 1];
  return {
    asks,
    nextConfirms: next?.readings.some((reading) => reading.confirming) ?? false,
    codesAhead: codesAfter(pieces, at),
    amountsAhead: () => pieces.slice(at + 1, at + 1 + amountsLookahead).flatMap(amountsOf),
  };
}

/** How many pieces ahead figures are looked at. */
export const amountsLookahead = 4;

function amountsOf({ readings }: Piece): readonly AmountMention[] {
  return readings.flatMap(({ lexemes }) => amountsIn(lexemes));
}

/** How many pieces ahead the items of a list are looked at. */
export const farthestItem = 40;

function codesAfter(pieces: readonly Piece[], at: number): readonly string[] {
  const current = pieces[at] as Piece;
  if (!isHeader(current) || current.readings.every(({ statements }) => statements.length === 0)) {
    return [];
  }
  const codes: string[] = [];
  const limit = Math.min(pieces.length, at + farthestItem);
  for (let next = at + 1; next < limit; next += 1) {
    const piece = pieces[next] as Piece;
    if (endsList(piece)) break;
    const { readings } = piece;
    for (const { lexemes } of readings) {
      for (const { kind, raw } of lexemes) if (kind !== 'mark') codes.push(normalId(raw));
    }
  }
  return codes;
}

/** Whether something under a heading is objected to. */
export function itemObjected(judged: readonly Judged[], at: number): boolean {
  const limit = Math.min(judged.length, at + farthestItem);
  for (let next = at + 1; next < limit; next += 1) {
    const { piece, objections } = judged[next] as Judged;
    if (endsList(piece)) return false;
    if (objections.length > 0) return true;
  }
  return false;
}

/** Whether a piece cannot belong to the list before it. */
export function endsList({ unit }: Piece): boolean {
  return unit.kind !== 'item' && unit.kind !== 'row' && unit.opensLine;
}
