import type { Defect, JsonProblem } from '../call/tool-error.ts';
import { isBlank } from './char.ts';

/** The place in a text where it stops being JSON. */
export interface Stop {
  readonly at: number;
  readonly problem: JsonProblem;
  readonly detail: string;
}

/** Names what stands at a place where something else should: the end, a fence, a comment, or other text. */
export function stopAt(text: string, at: number, expected: string): Stop {
  if (skipBlank(text, at) >= text.length) {
    return { at, problem: 'truncated', detail: `the text ends where ${expected} should stand` };
  }
  if (text.startsWith('```', at)) {
    return { at, problem: 'fenced', detail: 'a Markdown fence' };
  }
  if (text.startsWith('//', at) || text.startsWith('/*', at) || text.startsWith('#', at)) {
    return { at, problem: 'commented', detail: 'a comment' };
  }
  return { at, problem: 'syntax', detail: `${quoted(text, at)} where ${expected} should stand` };
}

/** The text ends inside something. */
export function cutOff(text: string, inside: string): Stop {
  return { at: text.length, problem: 'truncated', detail: `the text ends inside ${inside}` };
}

/** The first place from `at` on that is not blank. */
export function skipBlank(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text.charCodeAt(next))) next++;
  return next;
}

/** As a defect, with line and column. */
export function defectOf(text: string, stop: Stop): Defect {
  const { line, column } = positionOf(text, stop.at);
  return { code: 'invalid_json', problem: stop.problem, detail: stop.detail, line, column };
}

/** Line and column from 1; a line ends with `\n`, `\r\n` or `\r`. */
function positionOf(text: string, at: number): { line: number; column: number } {
  const before = /\r\n|\n|\r/g;
  let line = 1;
  let lineStart = 0;
  for (let found = before.exec(text); found !== null; found = before.exec(text)) {
    if (found.index + found[0].length > at) break;
    line++;
    lineStart = found.index + found[0].length;
  }
  return { line, column: at - lineStart + 1 };
}

const longestWord = 20;

/** What stands at a place, shortened: a word, or one character by name or by code. */
function quoted(text: string, at: number): string {
  const word = /^[\p{L}\p{N}_]+/u.exec(text.slice(at, at + longestWord))?.[0];
  if (word !== undefined) return word;
  const point = text.codePointAt(at) ?? 0;
  if (point === 0xfeff) return 'a byte order mark';
  if (point > 0x20 && point < 0x7f) return String.fromCodePoint(point);
  return `the character U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
