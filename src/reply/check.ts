import { Composer, isInterjection } from './compose.ts';
import { type Wording, wordingFor } from './correction.ts';
import { type Ground, groundOf, languageFor } from './ground.ts';
import { type Judged, judge, noThread, type Thread } from './judge.ts';
import { itemObjected, outlookAt } from './outlook.ts';
import { type Piece, type ReadingState, readPiece } from './piece.ts';
import { summaryOf } from './summary.ts';
import type { ReplyCheck, ReplyEntry, ReplyFinding, ReplyOptions } from './types.ts';
import { unitsOf } from './units.ts';
import { unreadable } from './unreadable.ts';

/**
 * Holds a reply against the record of writes and replaces what the record does not bear out.
 * Never throws on any text; takes time linear in the reply and in the entries.
 */
export function checkReply(
  reply: string,
  entries: readonly ReplyEntry[],
  options: ReplyOptions = {},
): ReplyCheck {
  const language = languageFor(reply, options);
  if (!language) return unreadable(reply, entries, options);
  const ground = groundOf(entries, options, language);
  const judged = judgeReply(reply, ground);
  const findings = judged.flatMap((one) => findingsOf(one));
  if (findings.length === 0) return { verdict: 'pass', findings: [], reply };
  const wording: Wording = wordingFor(ground, reply);
  const text = composeAll(judged, wording).trim();
  // What is shown has to stand by itself: if the pieces that are left do not, the summary does.
  const clean =
    text !== '' && judgeReply(text, ground).every(({ objections }) => objections.length === 0);
  return { verdict: 'corrected', findings, reply: clean ? text : summaryOf(judged, wording) };
}

/** A reply that ends in a colon announces what comes next: what it promises is not done yet. */
export function announces(last: Piece | undefined): boolean {
  return last?.readings.at(-1)?.introduces ?? false;
}

function judgeReply(reply: string, ground: Ground): readonly Judged[] {
  return judgeAll(piecesOf(reply, ground), ground);
}

function piecesOf(reply: string, { language, own }: Ground): readonly Piece[] {
  const state: ReadingState = { table: null, options: false };
  let from = 0;
  return unitsOf(reply).map((unit) => {
    const piece = readPiece(reply, unit, from, language, own, state);
    from = unit.end;
    return piece;
  });
}

function judgeAll(pieces: readonly Piece[], ground: Ground): readonly Judged[] {
  if (!pieces.some(({ readings }) => readings.some(({ statements }) => statements.length > 0))) {
    return [];
  }
  const asks =
    pieces.some(({ readings }) => readings.some((reading) => reading.asks)) ||
    announces(pieces.at(-1));
  let thread: Thread = noThread;
  return pieces.map((piece, at) => {
    const outlook = outlookAt(pieces, at, asks);
    const { judged, thread: next } = judge(piece, thread, ground.facts(), outlook);
    thread = next;
    return judged;
  });
}

/** What is reported of a piece. */
export function findingsOf({ piece, objections }: Judged, offset = 0): ReplyFinding[] {
  const { unit, text } = piece;
  return objections.map(({ code, claim, entity, entry, reason }) => ({
    code,
    claim,
    sentence: text,
    start: offset + unit.start,
    end: offset + unit.end,
    entity,
    tool: entry?.entry.tool ?? null,
    entry: entry?.index ?? null,
    reason,
  }));
}

function composeAll(judged: readonly Judged[], wording: Wording): string {
  const composer = new Composer();
  return judged
    .map((one, at) =>
      composer.add(one, wording, {
        nextObjected: isInterjection(one) && (judged[at + 1]?.objections.length ?? 0) > 0,
        itemObjected: one.heads && itemObjected(judged, at),
      }),
    )
    .join('');
}
