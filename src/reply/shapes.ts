import { isDigit } from './tokens.ts';

/**
 * Whether two identifiers are of one make: both figures, or the same letters before as many
 * figures, or codes of the same length. A mistyped order number looks like the right one.
 */
export function sameShape(a: string, b: string): boolean {
  if (a === '' || b === '') return false;
  const [first, second] = [shapeOf(a), shapeOf(b)];
  return (
    first.length === second.length && first.kind === second.kind && first.prefix === second.prefix
  );
}

interface Shape {
  readonly kind: 'figures' | 'prefixed' | 'code' | 'mail';
  readonly prefix: string;
  readonly length: number;
}

const longestPrefix = 3;

function shapeOf(id: string): Shape {
  if (id.includes('@')) return { kind: 'mail', prefix: '', length: 0 };
  let letters = 0;
  while (letters < id.length && !isDigit(id.charCodeAt(letters))) letters += 1;
  let rest = letters;
  while (rest < id.length && isDigit(id.charCodeAt(rest))) rest += 1;
  const { length } = id;
  // Many letters before a last figure are a code that happens to end so: `UDMOP1`.
  if (rest < length || letters === length || letters > longestPrefix)
    return { kind: 'code', prefix: '', length };
  if (letters === 0) return { kind: 'figures', prefix: '', length };
  return { kind: 'prefixed', prefix: id.slice(0, letters), length };
}
