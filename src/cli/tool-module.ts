import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyTool, Toolset } from '../call/tool.ts';
import type { Entry } from '../ledger/entry.ts';
import { UsageError } from './command.ts';

/** A module of the user's that exports tools, and a context where they need one. */
export interface ToolModule {
  readonly tools: readonly AnyTool[] | Toolset;
  contextFor?(entry: Entry): unknown;
}

/** Loads a module of tools; rejects with a UsageError where it cannot be used. */
export async function loadTools(path: string): Promise<ToolModule> {
  const module = await imported(path);
  const tools = module.tools ?? module.default;
  if (!isTools(tools)) {
    throw new UsageError(
      `${path} exports no tools: a list or a toolset, as "tools" or by default.`,
    );
  }
  const { contextFor } = module;
  return typeof contextFor === 'function'
    ? { tools, contextFor: contextFor as (entry: Entry) => unknown }
    : { tools };
}

async function imported(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  } catch (cause) {
    throw new UsageError(`${path} cannot be loaded: ${(cause as Error).message}`);
  }
}

function isTools(value: unknown): value is readonly AnyTool[] | Toolset {
  const list: unknown =
    typeof value === 'object' && value !== null && 'tools' in value ? value.tools : value;
  return Array.isArray(list) && list.every((item) => typeof item?.accept === 'function');
}
