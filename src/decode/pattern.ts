import type { JsonObject } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { isJsonObject } from './json-copy.ts';
import { parseRegex, type RegexNode } from './regex-parse.ts';
import { compileRegex, type Program, runRegex } from './regex-run.ts';
import { subschemas } from './schema-tree.ts';

/** Ways to match that a backtracking engine may try on one text. */
const mostWays = 1_000_000;
/** A text for a pattern that only a backtracking engine can run is not longer. */
const longestBacktracked = 200;
/** No name of a property that is held against a pattern is longer. */
export const longestPatternedName = 256;

/**
 * Compiles a schema's pattern: with Unicode, as JSON Schema asks for (2020-12, section 6.4), or, where
 * it is only valid without, as it was meant. What comes back never takes more than a bounded time, as
 * the text comes from a model and the engine can need exponential time: it runs only where few ways to
 * match are possible. All else runs in linear time, except back references and look-behind, which hold
 * for texts of at most 200 UTF-16 units, a longer one counting as not matching.
 */
export function compilePattern(pattern: string): Step<RegExp, string> {
  const native = nativePattern(pattern);
  return native === undefined
    ? refuse('it is no regular expression')
    : pass(new BoundedRegExp(native));
}

/** Whether the engine can run a pattern on the name of a property, whatever the name is. */
export function isSafeForNames(pattern: string): boolean {
  const native = nativePattern(pattern);
  return native?.flags === 'u' && new BoundedRegExp(native).longestNative >= longestPatternedName;
}

/** Whether a schema holds names of properties against patterns, anywhere. */
export function hasPatternedNames(schema: JsonObject): boolean {
  return (
    schema.patternProperties !== undefined ||
    subschemas(schema).some(({ schema: inner }) => isJsonObject(inner) && hasPatternedNames(inner))
  );
}

function nativePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next one may do.
    }
  }
  return undefined;
}

/** A regular expression that is tried in bounded time. */
class BoundedRegExp extends RegExp {
  /** Up to this length the engine tries few enough ways. */
  readonly longestNative: number;
  private readonly program: Program | undefined;
  /** The engine is quicker with an expression of its own class. */
  private readonly native: RegExp;

  constructor(native: RegExp) {
    super(native.source, native.flags);
    this.native = native;
    const node = parseRegex(native.source, native.flags);
    this.program = node && compileRegex(node);
    this.longestNative = node === undefined ? longestBacktracked : longestFor(node);
  }

  override test(text: string): boolean {
    if (text.length <= this.longestNative) return this.native.test(text);
    if (this.program === undefined) return false;
    return runRegex(this.program, this.unicode ? [...text] : text.split(''));
  }
}

/** How many ways a backtracking engine has through an expression: `paths` × length^`loops`. */
interface Ways {
  readonly paths: number;
  readonly loops: number;
}

const countless: Ways = { paths: Number.POSITIVE_INFINITY, loops: 0 };
/** Repeats of this few are counted one by one. */
const fewRepeats = 8;

/** The longest text on which the engine tries at most so many ways. */
function longestFor(node: RegexNode): number {
  const { paths, loops } = waysThrough(node);
  const places = beginsAtStart(node) ? loops : loops + 1;
  if (paths > mostWays) return 0;
  return places === 0 ? Number.POSITIVE_INFINITY : Math.floor((mostWays / paths) ** (1 / places));
}

function waysThrough(node: RegexNode): Ways {
  switch (node.kind) {
    case 'sequence':
      return node.items.map(waysThrough).reduce(both, { paths: 1, loops: 0 });
    case 'choice':
      return node.branches.map(waysThrough).reduce(either);
    case 'repeat':
      return waysOfRepeat(waysThrough(node.item), node.min, node.max);
    case 'ahead':
      return waysThrough(node.item);
    default:
      return { paths: 1, loops: 0 };
  }
}

function waysOfRepeat(item: Ways, min: number, max: number): Ways {
  const range = max - min;
  if (item.paths === 1 && item.loops === 0) {
    return range <= fewRepeats ? { paths: range + 1, loops: 0 } : { paths: 1, loops: 1 };
  }
  if (max > fewRepeats) return countless;
  return { paths: item.paths ** max * (range + 1), loops: item.loops * max };
}

function both(a: Ways, b: Ways): Ways {
  return { paths: a.paths * b.paths, loops: a.loops + b.loops };
}

function either(a: Ways, b: Ways): Ways {
  return { paths: a.paths + b.paths, loops: Math.max(a.loops, b.loops) };
}

function beginsAtStart(node: RegexNode): boolean {
  if (node.kind === 'start') return true;
  if (node.kind === 'sequence') return node.items[0] !== undefined && beginsAtStart(node.items[0]);
  return node.kind === 'choice' && node.branches.every(beginsAtStart);
}
