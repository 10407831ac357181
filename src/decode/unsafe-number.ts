/** How the double that `JSON.parse` makes of a number differs from what is written. */
export type NumberProblem = 'too_large' | 'overflow' | 'underflow' | 'rounded';

const smallestNormal = 2 ** -1022;

/** Numbers of up to this many characters, without an exponent, keep all their digits in a double. */
const exactLength = 15;

/** Whether a number has to be looked at, by its length and by whether it has an exponent. */
export function mayBeUnsafe(length: number, hasExponent: boolean): boolean {
  return hasExponent || length > exactLength;
}

/**
 * Says why a JSON number cannot be held as it is written, or nothing where it can.
 *
 * - `overflow`, `underflow`: the double is infinite, is zero, or is too small to have its full precision.
 * - `too_large`: an integer past ±(2^53 − 1), where neighbours become one. Written with an exponent,
 *   as measurements are (`5.972e24`), it is refused only where the double is another number.
 * - `rounded`: a fraction is written and an integer comes out (`4512.0000000000001`).
 *
 * A fraction that stays one (`0.1`, π to 20 digits) is no problem: its error is below its 15th digit.
 */
export function numberProblem(token: string): NumberProblem | undefined {
  const double = Number(token);
  if (!Number.isFinite(double)) return 'overflow';
  const written = decimal(token);
  if (written.digits === '') return undefined;
  if (Math.abs(double) < smallestNormal)
    return sameDecimal(written, double) ? undefined : 'underflow';
  if (written.power < 0) return Number.isInteger(double) ? 'rounded' : undefined;
  if (Number.isSafeInteger(double)) return undefined;
  return written.hasExponent && sameDecimal(written, double) ? undefined : 'too_large';
}

/** A decimal without its sign: `digits` × 10^`power`, with no zero at either end of the digits. */
interface Decimal {
  readonly digits: string;
  readonly power: number;
  readonly hasExponent: boolean;
}

function decimal(token: string): Decimal {
  const exponentAt = token.search(/[eE]/);
  const mantissa = (exponentAt < 0 ? token : token.slice(0, exponentAt)).replace('-', '');
  const exponent = exponentAt < 0 ? 0 : Number(token.slice(exponentAt + 1));
  const pointAt = mantissa.indexOf('.');
  const fractionLength = pointAt < 0 ? 0 : mantissa.length - pointAt - 1;
  const all = mantissa.replace('.', '');
  const end = lengthWithoutZeros(all);
  return {
    digits: all.slice(0, end).replace(/^0+/, ''),
    power: exponent - fractionLength + (all.length - end),
    hasExponent: exponentAt >= 0,
  };
}

/** Where trailing zeros begin. A loop, since `/0+$/` takes quadratic time on long runs of zeros. */
function lengthWithoutZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end;
}

function sameDecimal(written: Decimal, double: number): boolean {
  const shortest = decimal(String(double));
  return shortest.digits === written.digits && shortest.power === written.power;
}
