import type { JsonValue } from '../call/json.ts';

/** Longer names are not compared. */
const longestCompared = 64;

/** Of the names that are there, the one that a misspelt one was most likely meant to be. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  return nearestValue(name, names) as string | undefined;
}

/**
 * Of the allowed values, the one that came out closest in letters: the same but for case, blanks and
 * punctuation, one beginning the other, or few letters changed. Nothing where none is close.
 */
export function nearestValue(
  value: JsonValue,
  allowed: readonly JsonValue[],
): JsonValue | undefined {
  const word = plain(value);
  if (word === '') return undefined;
  let best: JsonValue | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of allowed) {
    const distance = distanceBetween(word, plain(candidate));
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

function plain(value: JsonValue): string {
  if (typeof value === 'object') return '';
  const text = String(value);
  return text.length > longestCompared ? '' : text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Letters to change, or infinity where the two are no likely slip of each other. */
function distanceBetween(word: string, candidate: string): number {
  if (candidate === '') return Number.POSITIVE_INFINITY;
  if (word === candidate) return 0;
  const length = Math.max(word.length, candidate.length);
  const most = Math.max(1, Math.floor(length / 3));
  if (Math.abs(word.length - candidate.length) <= most) {
    const changes = editDistance(word, candidate);
    if (changes <= most && changes < length) return changes;
  }
  const isBeginning = candidate.startsWith(word) || word.startsWith(candidate);
  return isBeginning ? length : Number.POSITIVE_INFINITY;
}

/** Letters inserted, left out, changed, or swapped with their neighbour (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const changed = at(last, column - 1) + (same ? 0 : 1);
      const swapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
          ? at(before, column - 2) + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, changed, swapped));
    }
    before = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
