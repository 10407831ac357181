import type { Action } from './actions.ts';
import { differencesIn, differencesInDetails, type NamedAmounts } from './amounts.ts';
import { type EntryFacts, type Facts, knowsId } from './facts.ts';
import { is } from './helpers.ts';
import { hold, mayBeTargets } from './hold.ts';
import { type IdMention, type Mentions, mentionsIn, within } from './mentions.ts';
import type { Held, Objection } from './objection.ts';
import type { Piece } from './piece.ts';
import type { Reading, Statement } from './statement.ts';

/** How one piece of a reply stands against the record. */
export interface Judged {
  readonly piece: Piece;
  readonly objections: readonly Objection[];
  /** Entries that its statements speak of, all of them proven. */
  readonly bornOutBy: readonly EntryFacts[];
  readonly ids: readonly IdMention[];
  /** What its heading says of it, where it says nothing itself: the action, with the entries that bear it out. */
  readonly inherits: { readonly action: Action; readonly entries: readonly EntryFacts[] } | null;
  /** Its statement is only borne out or not by the items that follow. */
  readonly heads: boolean;
  /** What could still change it: nothing, the next piece, figures of the next few, the list, the rest. */
  readonly doubt: 'none' | 'next' | 'figures' | 'list' | 'end';
}

/** What is carried from piece to piece. */
export interface Thread {
  readonly antecedent: readonly IdMention[];
  readonly last: readonly EntryFacts[];
  readonly amounts: NamedAmounts;
  readonly header: Header | null;
  /** The identifiers of the list item that deeper items belong to. */
  readonly parent: { readonly indent: number; readonly ids: readonly IdMention[] } | null;
}

interface Header {
  readonly reading: Reading | null;
  readonly statements: readonly Statement[];
  readonly indent: number;
  readonly heading: boolean;
  /** Whether it names its own thing: what is listed under it are details. */
  readonly named: boolean;
}

/** What the whole reply, or as much as was seen, says. */
export interface Outlook {
  readonly asks: boolean;
  /** Whether the piece after this one says that something is being confirmed. */
  readonly nextConfirms: boolean;
  /** The codes in the items that follow under this piece, in capital letters. */
  readonly codesAhead: readonly string[];
  /** Sums of money that the next pieces name. */
  amountsAhead(): NamedAmounts;
}

/** How a reply begins. */
export const noThread: Thread = {
  antecedent: [],
  last: [],
  amounts: [],
  header: null,
  parent: null,
};

/** Judges the next piece of a reply. */
export function judge(
  piece: Piece,
  thread: Thread,
  facts: Facts,
  outlook: Outlook,
): { readonly judged: Judged; readonly thread: Thread } {
  const header = headerOver(piece, thread);
  const parent = parentOf(piece, thread);
  let running: Thread = { ...thread, header, parent };
  const objections: Objection[] = [];
  const bornOutBy: EntryFacts[] = [];
  const ids: IdMention[] = [];
  let doubt: Judged['doubt'] = 'none';
  let inherits: Judged['inherits'] = null;
  const heads =
    isHeader(piece) && piece.readings.some(({ statements }) => statements.some(isSuccess));
  for (const reading of piece.readings) {
    const knows = (id: string, raw: string): ReturnType<typeof knowsId> => knowsId(facts, id, raw);
    const all = mentionsIn(reading.lexemes, 0, reading.lexemes.length, knows);
    ids.push(...all.ids);
    if (all.amounts.length > 0) {
      running = { ...running, amounts: [...running.amounts, ...all.amounts].slice(-mostAmounts) };
    }
    const amounts = running.amounts;
    const namedAmounts = (): NamedAmounts => [...amounts, ...outlook.amountsAhead()];
    const inherited = inheritedStatements(reading, header, all, piece);
    const statements = [...reading.statements, ...inherited];
    for (const statement of statements) {
      const mentions = inherited.includes(statement)
        ? all
        : within(all, statement.from, statement.to);
      const ofItems = heads && mentions.ids.length === 0 && isSuccess(statement);
      const context = {
        asks: outlook.asks,
        confirming: reading.confirming || outlook.nextConfirms,
        antecedent: parent && parent.ids.length > 0 ? parent.ids : running.antecedent,
        last: running.last,
      };
      const said = { statement, lexemes: reading.lexemes, mentions, around: all.ids };
      // What a heading says of its items is held against each of them.
      const passedOn = ofItems && saysOfItems(statement, outlook, facts);
      const own: Held = hold(said, facts, context);
      const held = passedOn ? { ...own, objections: [] } : own;
      const wrong =
        passedOn || held.objections.length > 0 || statement.claim === 'not_done'
          ? []
          : differencesIn(said, held.entries, facts, namedAmounts);
      objections.push(...held.objections, ...wrong);
      doubt = deeper(doubt, doubtOf(statement, held, heads));
      if (held.entries.length > 0) running = { ...running, last: held.entries };
      const stands = held.objections.length + wrong.length === 0;
      if (stands) bornOutBy.push(...held.entries);
      if (stands && inherited.includes(statement) && reading.statements.length === 0) {
        inherits = { action: statement.action, entries: unmistakable(held.entries, facts) };
      }
      if (mentions.ids.length > 0) running = { ...running, antecedent: mentions.ids };
    }
    if (statements.length === 0 && givesDetails(reading, outlook)) {
      objections.push(...differencesInDetails(all, running.last, facts, namedAmounts));
    }
    if (all.ids.length > 0 && statements.length === 0)
      running = { ...running, antecedent: all.ids };
  }
  return {
    judged: {
      piece,
      objections,
      bornOutBy,
      inherits,
      ids,
      heads,
      doubt: deeper(doubt, figureDoubt(objections)),
    },
    thread: followed(piece, running, ids),
  };
}

/** Whether what a heading says is said of the items under it. */
function saysOfItems({ action }: Statement, { codesAhead }: Outlook, facts: Facts): boolean {
  return codesAhead.length > 0 && mayBeTargets(action, codesAhead, facts);
}

/** Entries of which can be said that they are done, with no open one on the same thing to be taken for. */
function unmistakable(entries: readonly EntryFacts[], facts: Facts): readonly EntryFacts[] {
  const open = new Set(facts.entries.flatMap(({ proven, target }) => (proven ? [] : [target])));
  return entries.filter(({ target }) => !open.has(target));
}

const mostAmounts = 64;
const depths = ['none', 'next', 'figures', 'list', 'end'] as const;

function deeper(a: Judged['doubt'], b: Judged['doubt']): Judged['doubt'] {
  return depths.indexOf(a) > depths.indexOf(b) ? a : b;
}

function figureDoubt(objections: readonly Objection[]): Judged['doubt'] {
  return objections.some(({ claim }) => claim === 'wrong_amount') ? 'figures' : 'none';
}

function doubtOf(statement: Statement, held: Held, heads: boolean): Judged['doubt'] {
  if (held.objections.length === 0) return 'none';
  if (statement.claim === 'will_be_done') return 'end';
  if (heads) return 'list';
  return statement.asked ? 'next' : 'none';
}

function isSuccess({ claim }: Statement): boolean {
  return claim === 'done';
}

/** Whether a piece introduces what follows. */
export function isHeader({ unit, readings }: Piece): boolean {
  return unit.kind === 'heading' || (readings.at(-1)?.introduces ?? false);
}

/** The header that a piece stands under; a new line of text outside the list ends it. */
function headerOver({ unit }: Piece, { header }: Thread): Header | null {
  if (!header) return null;
  if (unit.kind === 'heading') return null;
  const listed =
    unit.kind === 'item' || unit.kind === 'row' || unit.kind === 'rule' || !unit.opensLine;
  if (listed) return unit.indent < header.indent ? null : header;
  if (header.heading) return header;
  return unit.afterBlank || unit.indent > 0
    ? unit.indent > header.indent
      ? header
      : null
    : header;
}

function parentOf({ unit }: Piece, { parent }: Thread): Thread['parent'] {
  if (!parent) return null;
  if (!unit.opensLine) return parent;
  return unit.indent > parent.indent ? parent : null;
}

/** What a header says of everything that is listed under it. */
function inheritedStatements(
  reading: Reading,
  header: Header | null,
  mentions: Mentions,
  { unit }: Piece,
): readonly Statement[] {
  if (!header || header.named || mentions.ids.length === 0) return [];
  if (unit.kind !== 'item' && unit.kind !== 'row' && unit.kind !== 'text') return [];
  if (unit.kind === 'text' && unit.opensLine === false) return [];
  if (reading.statements.some(({ claim }) => claim === 'not_done')) return [];
  return header.statements
    .filter((statement) => isSuccess(statement))
    .filter(({ action }) => !reading.statements.some((own) => own.action === action))
    .map((statement) => ({
      ...statement,
      at: -1,
      from: 0,
      to: reading.lexemes.length,
      many: null,
      pronoun: null,
    }));
}

/** Whether a sentence without a statement of its own tells what a write was like. */
function givesDetails(reading: Reading, { asks }: Outlook): boolean {
  if (asks || reading.polite || reading.asks) return false;
  return !reading.lexemes.some(
    (lexeme) =>
      is(lexeme, 'condition') ||
      is(lexeme, 'policy') ||
      is(lexeme, 'negation') ||
      is(lexeme, 'cannot') ||
      is(lexeme, 'modal') ||
      is(lexeme, 'stock') ||
      is(lexeme, 'past'),
  );
}

function followed(piece: Piece, thread: Thread, ids: readonly IdMention[]): Thread {
  const { unit } = piece;
  let { header, parent } = thread;
  if (
    isHeader(piece) &&
    (unit.kind !== 'item' || piece.readings.some((r) => r.statements.length > 0))
  ) {
    const statements = piece.readings.flatMap((reading) => reading.statements);
    header = {
      reading: piece.readings.at(-1) ?? null,
      statements,
      indent: unit.indent,
      heading: unit.kind === 'heading',
      named: ids.length > 0,
    };
  }
  if (unit.kind === 'item' && unit.opensLine && (!parent || unit.indent <= parent.indent)) {
    parent = { indent: unit.indent, ids };
  } else if (unit.opensLine && unit.kind !== 'item' && unit.indent === 0) {
    parent = null;
  }
  return { ...thread, header, parent };
}
