import { type Composition, compose, isInterjection, nothingSaid } from './compose.ts';
import type { Wording } from './correction.ts';
import { type Facts, factsOf, profilesOf } from './facts.ts';
import { isHeader, type Judged, judge, noThread, type Outlook, type Thread } from './judge.ts';
import type { Language, WordInfo } from './lexicon/compile.ts';
import { detectLanguage } from './lexicon/detect.ts';
import { languageOf } from './lexicon/languages.ts';
import { type AmountMention, amountsIn, normalId } from './mentions.ts';
import { type Piece, type ReadingState, readPiece } from './piece.ts';
import { summaryOf } from './summary.ts';
import { tokenize } from './tokens.ts';
import type { ReplyCheck, ReplyEntry, ReplyFinding, ReplyOptions } from './types.ts';
import { unitsOf } from './units.ts';

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
  const checked = check(reply, entries, options, language);
  if (checked.findings.length === 0) return { verdict: 'pass', findings: [], reply };
  const { findings, text, wording } = checked;
  const again = check(text, entries, options, language);
  const clean = text.trim() !== '' && again.findings.length === 0;
  const shown = clean ? text.trim() : summaryOf(checked.judged, wording);
  return { verdict: 'corrected', findings, reply: shown };
}

/** The language that a reply is read in; undefined where it is one that cannot be read. */
function languageFor(reply: string, options: ReplyOptions): Language | undefined {
  if (options.language !== undefined) return languageOf(options.language);
  return detectLanguage(tokenize(reply.slice(0, 4_000)), languageOf('en') as Language).language;
}

interface Checked {
  readonly findings: readonly ReplyFinding[];
  readonly judged: readonly Judged[];
  readonly text: string;
  readonly wording: Wording;
}

function check(
  reply: string,
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
  language: Language,
): Checked {
  const profiles = profilesOf(entries, options, language.language);
  const pieces = piecesOf(reply, language, ownWords(profiles.values()));
  const facts = lazyFacts(() => factsOf(entries, options, profiles, factLanguages(language)));
  const judged = judgeAll(pieces, facts);
  const findings = judged.flatMap(findingsOf);
  const wording: Wording = { language, options, reply, symbol: symbolIn(reply) };
  if (findings.length === 0) return { findings, judged, text: reply, wording };
  return { findings, judged, text: composeAll(judged, wording), wording };
}

/** Records are mostly written in English, whatever the language of the reply. */
function factLanguages(language: Language): readonly Language[] {
  const english = languageOf('en') as Language;
  return language === english ? [english] : [english, language];
}

/** The words that tools bring along. */
function ownWords(
  profiles: Iterable<{ readonly words: ReadonlyMap<string, WordInfo> }>,
): ReadonlyMap<string, WordInfo> {
  const own = new Map<string, WordInfo>();
  for (const { words } of profiles) for (const [word, info] of words) own.set(word, info);
  return own;
}

function lazyFacts(build: () => Facts): () => Facts {
  let facts: Facts | undefined;
  return () => {
    facts ??= build();
    return facts;
  };
}

function piecesOf(
  reply: string,
  language: Language,
  own: ReadonlyMap<string, WordInfo>,
): readonly Piece[] {
  const state: ReadingState = { table: null, options: false };
  let from = 0;
  return unitsOf(reply).map((unit) => {
    const piece = readPiece(reply, unit, from, language, own, state);
    from = unit.end;
    return piece;
  });
}

function judgeAll(pieces: readonly Piece[], facts: () => Facts): readonly Judged[] {
  if (!pieces.some(({ readings }) => readings.some(({ statements }) => statements.length > 0))) {
    return [];
  }
  const asks = pieces.some(({ readings }) => readings.some((reading) => reading.asks));
  let thread: Thread = noThread;
  return pieces.map((piece, at) => {
    const outlook = outlookAt(pieces, at, asks);
    const { judged, thread: next } = judge(piece, thread, facts(), outlook);
    thread = next;
    return judged;
  });
}

/** What the pieces after one say that bears on it. */
function outlookAt(pieces: readonly Piece[], at: number, asks: boolean): Outlook {
  const next = pieces[at + 1];
  return {
    asks,
    nextConfirms: next?.readings.some((reading) => reading.confirming) ?? false,
    codesAhead: codesAfter(pieces, at),
    amountsAhead: pieces.slice(at + 1, at + 1 + amountsLookahead).flatMap(amountsOf),
  };
}

const amountsLookahead = 4;

function amountsOf({ readings }: Piece): readonly AmountMention[] {
  return readings.flatMap(({ lexemes }) => amountsIn(lexemes));
}

const farthestItem = 40;

function codesAfter(pieces: readonly Piece[], at: number): readonly string[] {
  const current = pieces[at] as Piece;
  if (!isHeader(current) || current.readings.every(({ statements }) => statements.length === 0)) {
    return [];
  }
  const codes: string[] = [];
  const limit = Math.min(pieces.length, at + farthestItem);
  for (let next = at + 1; next < limit; next += 1) {
    const { unit, readings } = pieces[next] as Piece;
    if (unit.kind !== 'item' && unit.kind !== 'row' && unit.opensLine) break;
    for (const { lexemes } of readings) {
      for (const { kind, raw } of lexemes) if (kind !== 'mark') codes.push(normalId(raw));
    }
  }
  return codes;
}

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

function composeAll(judged: readonly Judged[], wording: Wording): string {
  let composition: Composition = nothingSaid;
  let text = '';
  judged.forEach((one, at) => {
    const next = judged[at + 1];
    const composed = compose(one, composition, wording, {
      nextObjected: isInterjection(one) && (next?.objections.length ?? 0) > 0,
      itemObjected: one.heads && itemObjected(judged, at),
    });
    composition = composed.after;
    text += composed.text;
  });
  return text;
}

/** Whether something under a heading is objected to. */
function itemObjected(judged: readonly Judged[], at: number): boolean {
  const limit = Math.min(judged.length, at + farthestItem);
  for (let next = at + 1; next < limit; next += 1) {
    const { piece, objections } = judged[next] as Judged;
    const { unit } = piece;
    if (unit.kind !== 'item' && unit.kind !== 'row' && unit.opensLine) return false;
    if (objections.length > 0) return true;
  }
  return false;
}

/** The first currency sign in a reply. */
function symbolIn(reply: string): string {
  return /[$€£¥₹]/.exec(reply)?.[0] ?? '';
}

function unreadable(
  reply: string,
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
): ReplyCheck {
  const english = languageOf('en') as Language;
  const profiles = profilesOf(entries, options, 'en');
  const facts = factsOf(entries, options, profiles, [english]);
  const unsettled = facts.entries.filter((entry) => !entry.proven);
  if (unsettled.length === 0) return { verdict: 'pass', findings: [], reply };
  const objections = unsettled.map((entry) => ({
    code: 'unreadable' as const,
    claim: 'done' as const,
    action: 'any' as const,
    entity: entry.targetRaw || null,
    entry,
    reason: `The reply is in a language that cannot be read here; the outcome is ${entry.entry.outcome}.`,
  }));
  const unit = { start: 0, end: reply.length, text: reply };
  const findings = objections.map(({ code, claim, entity, entry, reason }) => ({
    code,
    claim,
    sentence: reply.slice(0, 200),
    start: unit.start,
    end: unit.end,
    entity,
    tool: entry.entry.tool,
    entry: entry.index,
    reason,
  }));
  const wording: Wording = { language: english, options, reply, symbol: symbolIn(reply) };
  return { verdict: 'corrected', findings, reply: summaryOf([{ objections }], wording) };
}
