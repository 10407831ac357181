import type { AnyTool, Toolset } from '../call/tool.ts';

/**
 * The closed list of tools that may run. Throws a TypeError where two names are the same, or differ
 * only in case, since a model takes one for the other.
 */
export function toolset<const Tools extends readonly AnyTool[]>(tools: Tools): Toolset<Tools> {
  const byName = new Map<string, AnyTool>();
  const folded = new Map<string, string>();
  for (const { name } of tools) {
    const twin = folded.get(name.toLowerCase());
    if (twin !== undefined) {
      throw new TypeError(
        twin === name
          ? `toolset: two tools are named ${JSON.stringify(name)}; give each its own name`
          : `toolset: ${JSON.stringify(twin)} and ${JSON.stringify(name)} differ only in case; rename one`,
      );
    }
    folded.set(name.toLowerCase(), name);
  }
  for (const tool of tools) byName.set(tool.name, tool);
  return Object.freeze({
    tools: Object.freeze([...tools]) as unknown as Tools,
    names: Object.freeze([...byName.keys()]),
    find: (name: string) => byName.get(name),
  });
}
