import { char } from './char.ts';
import { cutOff, type Stop, stopAt } from './json-problem.ts';

/** A string that was read; `end` is the place after its closing quote. */
export interface ReadString {
  readonly end: number;
  readonly hasEscape: boolean;
}

/** Reads the string whose opening quote stands at `start`, by the grammar of RFC 8259, section 7. */
export function readString(text: string, start: number): ReadString | Stop {
  let hasEscape = false;
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === char.quote) return { end: at + 1, hasEscape };
    if (unit < char.space) return controlStop(text, at, unit);
    if (unit === char.backslash) {
      const length = escapeLength(text, at);
      if (length === 0) return escapeStop(text, at);
      hasEscape = true;
      at += length;
    } else {
      at++;
    }
  }
  return cutOff(text, 'a string');
}

/** How long the escape at this place is; 0 where it is none. */
function escapeLength(text: string, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter === 'u') return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? 2 : 0;
}

function escapeStop(text: string, at: number): Stop {
  const rest = text.slice(at);
  if (/^\\(?:u[0-9a-fA-F]{0,3})?$/.test(rest)) return cutOff(text, 'a string');
  return { ...stopAt(text, at, 'a JSON escape'), problem: 'syntax' };
}

function controlStop(text: string, at: number, unit: number): Stop {
  const isLineBreak = unit === char.newline || unit === char.carriageReturn;
  const detail = isLineBreak
    ? 'a line break inside a string, which has to be written \\n'
    : `the control character U+${unit.toString(16).toUpperCase().padStart(4, '0')} inside a string`;
  // A text that was cut may end in blanks that somebody added.
  return text.slice(at).trim() === ''
    ? cutOff(text, 'a string')
    : { at, problem: 'syntax', detail };
}
