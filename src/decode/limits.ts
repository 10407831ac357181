/** What the text of one call's arguments may be. */
export interface Limits {
  /** The longest text, in UTF-16 units; 1,048,576 if left out. */
  readonly maxLength: number;
  /** How deep objects and lists may be nested, the outermost object counting as 1; 64 if left out, at most 1,000. */
  readonly maxDepth: number;
}

/** The limits that hold where none are given. */
export const defaultLimits: Limits = { maxLength: 1_048_576, maxDepth: 64 };

/** Deeper values would overflow the stack of whatever walks them later. */
const deepestAllowed = 1000;

/** Fills in what is left out; what is no number of at least 1 counts as left out. */
export function limitsFrom(given: Partial<Limits> | undefined): Limits {
  if (given === undefined) return defaultLimits;
  return {
    maxLength: atLeastOne(given.maxLength) ?? defaultLimits.maxLength,
    maxDepth: Math.min(atLeastOne(given.maxDepth) ?? defaultLimits.maxDepth, deepestAllowed),
  };
}

function atLeastOne(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= 1 ? limit : undefined;
}
