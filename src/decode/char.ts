/** The UTF-16 units that JSON gives a meaning. */
export const char = {
  tab: 9,
  newline: 10,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  point: 46,
  slash: 47,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerE: 101,
  lowerU: 117,
  openBrace: 123,
  closeBrace: 125,
} as const;

/** Whether JSON counts a unit as blank space (RFC 8259, section 2). */
export function isBlank(unit: number): boolean {
  return (
    unit === char.space ||
    unit === char.newline ||
    unit === char.carriageReturn ||
    unit === char.tab
  );
}

/** Whether a unit is `0` to `9`. */
function isDigit(unit: number): boolean {
  return unit >= char.zero && unit <= char.nine;
}

/** Whether a unit can stand inside a JSON number after its first character. */
export function isNumberPart(unit: number): boolean {
  return (
    isDigit(unit) ||
    unit === char.point ||
    unit === char.lowerE ||
    unit === char.upperE ||
    unit === char.plus ||
    unit === char.minus
  );
}

const highSurrogate = 0xd800;
const lowSurrogate = 0xdc00;
const surrogateEnd = 0xe000;

/** Whether a unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= highSurrogate && unit < lowSurrogate;
}

/** Whether a unit is the second half of a surrogate pair. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= lowSurrogate && unit < surrogateEnd;
}
