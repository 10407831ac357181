/** Ignored paths as a tree: by name, what is ignored below it; `whole` for the property itself. */
export type IgnoredPaths = ReadonlyMap<string, IgnoredPaths | 'whole'>;

type Tree = Map<string, Tree | 'whole'>;

/** Nothing is ignored. */
export const nothingIgnored: IgnoredPaths = new Map();

/** Reads `reason`, `items.note`: names joined by dots. Throws a TypeError on a path with an empty name. */
export function ignoredPaths(paths: readonly string[]): IgnoredPaths {
  const tree: Tree = new Map();
  for (const path of paths) {
    const names = path.split('.');
    if (names.includes('')) throw new TypeError(`no path to ignore: ${JSON.stringify(path)}`);
    add(tree, names);
  }
  return tree;
}

function add(tree: Tree, names: readonly string[]): void {
  const [name, ...rest] = names;
  if (name === undefined) return;
  const below = tree.get(name);
  if (rest.length === 0 || below === 'whole') {
    tree.set(name, 'whole');
    return;
  }
  const branch: Tree = below ?? new Map();
  tree.set(name, branch);
  add(branch, rest);
}
