import { sentencesOfJson } from './json-sentences.ts';
import { type Language, lookUp, type WordInfo } from './lexicon/compile.ts';
import { readSentence } from './read-sentence.ts';
import type { Reading } from './statement.ts';
import { isRuleRow, rowSentence, type TableHeads } from './table-rows.ts';
import { tokenize } from './tokens.ts';
import type { Unit } from './units.ts';

/** A unit of a reply as it was read: prose is one reading, JSON one for each of its objects and texts. */
export interface Piece {
  readonly unit: Unit;
  /** What stands before it since the last one, and itself. */
  readonly source: string;
  /** The text of the unit alone. */
  readonly text: string;
  readonly readings: readonly Reading[];
}

/** What the reading of a unit depends on. */
export interface ReadingState {
  /** The cells of the first row of the table that is being read. */
  table: TableHeads | null;
  /** Whether the list that is being read offers choices. */
  options: boolean;
  /** Sentences that were read already, where the same text may be read again. */
  readonly known?: Map<string, Reading>;
}

/** Reads a unit of `text`; `from` is where the unit before it ended. */
export function readPiece(
  text: string,
  unit: Unit,
  from: number,
  language: Language,
  own: ReadonlyMap<string, WordInfo>,
  state: ReadingState,
): Piece {
  const source = text.slice(from, unit.end);
  const piece = (readings: readonly Reading[]): Piece => ({
    unit,
    source,
    text: text.slice(unit.start, unit.end),
    readings,
  });
  if (unit.kind !== 'row') state.table = null;
  if (unit.kind === 'rule') return piece([]);
  const content = text.slice(unit.textStart, unit.end);
  if (unit.opensLine && unit.kind !== 'item' && unit.kind !== 'row') state.options = false;
  const around = { ticked: unit.ticked, amongOptions: state.options, quoted: unit.quoted };
  const read = (sentence: string): Reading => {
    const key = `${around.ticked} ${around.amongOptions} ${around.quoted} ${sentence}`;
    const known = state.known?.get(key);
    if (known) return known;
    const reading = readSentence(lookUp(tokenize(sentence), language, own), language, around);
    state.known?.set(key, reading);
    return reading;
  };
  if (unit.kind === 'json') {
    return piece(sentencesOfJson(content).map(read));
  }
  if (unit.kind === 'row') {
    if (isRuleRow(content)) return piece([]);
    const sentence = rowSentence(content, state);
    return piece(sentence === null ? [] : [read(sentence)]);
  }
  const reading = read(content);
  if (reading.introduces) state.options = reading.listsOptions && reading.statements.length === 0;
  return piece([reading]);
}
