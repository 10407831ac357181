import { Composer, isInterjection } from './compose.ts';
import { type Wording, wordingFor } from './correction.ts';
import { type Ground, groundOf, languageFor } from './ground.ts';
import { type Judged, judge, noThread, type Thread } from './judge.ts';
import { itemObjected, outlookAt } from './outlook.ts';
import { type Piece, type ReadingState, readPiece } from './piece.ts';
import type { Reading } from './statement.ts';
import { summaryOf } from './summary.ts';
import type { ReplyCheck, ReplyEntry, ReplyFinding, ReplyOptions } from './types.ts';
import { unitsOf } from './units.ts';
import { openWrites, unreadable } from './unreadable.ts';

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
  const known = new Map<string, Reading>();
  const judged = judgeReply(reply, ground, known);
  const findings = judged.flatMap((one) => findingsOf(one));
  if (findings.length === 0) return { verdict: 'pass', findings: [], reply };
  const wording: Wording = wordingFor(ground, reply);
  // What is shown has to stand by itself: if the pieces that are left do not, the summary does.
  const stands = (text: string): boolean =>
    text !== '' &&
    judgeReply(text, ground, known).every(({ objections }) => objections.length === 0);
  const { kept, rest } = composeAll(judged, wording, ground);
  const before = kept.map(({ source }) => source).join('');
  const text = (before === '' ? rest.trimStart() : before + rest).trimEnd();
  if (stands(text)) return { verdict: 'corrected', findings, reply: text };
  const sure = sureOf(kept, judged, ground)
    .map(({ source }) => source)
    .join('');
  const summary = summaryOf(judged, wording);
  return { verdict: 'corrected', findings, reply: followedBy(sure, summary) };
}

/** The pieces that stand whatever follows them: a promise may need a question after it to be none. */
function sureOf(
  kept: readonly Piece[],
  judged: readonly Judged[],
  ground: Ground,
): readonly Piece[] {
  const pieces = judged.map(({ piece }) => piece);
  const again = judgeAll(pieces, ground, kept.some(asksLeave)).slice(0, kept.length);
  const doubtful = again.findIndex(({ objections }) => objections.length > 0);
  return doubtful < 0 ? kept : kept.slice(0, doubtful);
}

/** Whether the user is asked for leave. */
export function asksLeave({ readings }: Piece): boolean {
  return readings.some(({ asks }) => asks);
}

/** A text with a summary as a paragraph after it. */
export function followedBy(text: string, summary: string): string {
  const ended = text.trimEnd();
  if (ended === '') return summary;
  const blanks = text.slice(ended.length);
  return blanks.includes('\n') ? text + summary : `${ended}${blanks}\n\n${summary}`;
}

/** Whether a heading may turn out to be false by one of its items. */
export function headsOpenList(judged: Judged, ground: Ground): boolean {
  if (!judged.heads) return false;
  return judged.objections.length > 0 || openWrites(ground.facts()).length > 0;
}

/** A reply that ends in a colon announces what comes next: what it promises is not done yet. */
function announces(last: Piece | undefined): boolean {
  return last?.readings.at(-1)?.introduces ?? false;
}

function judgeReply(reply: string, ground: Ground, known: Map<string, Reading>): readonly Judged[] {
  const pieces = piecesOf(reply, ground, known);
  return judgeAll(pieces, ground, pieces.some(asksLeave) || announces(pieces.at(-1)));
}

function piecesOf(
  reply: string,
  { language, own }: Ground,
  known: Map<string, Reading>,
): readonly Piece[] {
  const state: ReadingState = { table: null, options: false, known };
  let from = 0;
  return unitsOf(reply).map((unit) => {
    const piece = readPiece(reply, unit, from, language, own, state);
    from = unit.end;
    return piece;
  });
}

function judgeAll(pieces: readonly Piece[], ground: Ground, asks: boolean): readonly Judged[] {
  if (!pieces.some(({ readings }) => readings.some(({ statements }) => statements.length > 0))) {
    return [];
  }
  let thread: Thread = noThread;
  return pieces.map((piece, at) => {
    const outlook = outlookAt(pieces, at, asks);
    const { judged, thread: next } = judge(piece, thread, ground.facts(), outlook);
    thread = next;
    return judged;
  });
}

/** What is reported of a piece. */
function findingsOf({ piece, objections }: Judged): ReplyFinding[] {
  const { unit, text } = piece;
  return objections.map(({ code, claim, entity, entry, reason }) => ({
    code,
    claim,
    sentence: text,
    start: unit.start,
    end: unit.end,
    entity,
    tool: entry?.entry.tool ?? null,
    entry: entry?.index ?? null,
    reason,
  }));
}

/** The pieces before the first that is changed, and what becomes of the others. */
function composeAll(
  judged: readonly Judged[],
  wording: Wording,
  ground: Ground,
): { readonly kept: readonly Piece[]; readonly rest: string } {
  const composer = new Composer();
  const kept: Piece[] = [];
  const rest: string[] = [];
  for (const [at, one] of judged.entries()) {
    const text = composer.add(one, wording, {
      nextObjected: isInterjection(one) && (judged[at + 1]?.objections.length ?? 0) > 0,
      itemObjected: headsOpenList(one, ground) && itemObjected(judged, at),
    });
    if (rest.length === 0 && text === one.piece.source) kept.push(one.piece);
    else rest.push(text);
  }
  return { kept, rest: rest.join('') };
}
