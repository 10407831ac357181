import type { Lexeme } from './lexicon/compile.ts';

const pairs: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '«': '»',
  '„': '“',
  '‹': '›',
  '»': '«',
};
const farthest = 400;

/** Which lexemes stand between quotation marks; a mark that is never closed quotes nothing. */
export function quotedLexemes(lexemes: readonly Lexeme[]): ReadonlySet<number> {
  const quoted = new Set<number>();
  for (let at = 0; at < lexemes.length; at += 1) {
    const { kind, text } = lexemes[at] as Lexeme;
    const closing = kind === 'mark' ? pairs[text] : undefined;
    if (closing === undefined) continue;
    const end = closingAt(lexemes, at + 1, closing);
    if (end < 0) continue;
    for (let inside = at + 1; inside < end; inside += 1) quoted.add(inside);
    at = end;
  }
  return quoted;
}

function closingAt(lexemes: readonly Lexeme[], from: number, closing: string): number {
  const limit = Math.min(lexemes.length, from + farthest);
  for (let at = from; at < limit; at += 1) {
    const text = (lexemes[at] as Lexeme).text;
    if (text === closing || (closing === '“' && text === '”')) return at;
  }
  return -1;
}
