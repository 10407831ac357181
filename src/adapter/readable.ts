import type { Toolset } from '../call/tool.ts';
import { decode } from '../decode/decode.ts';

/**
 * The text of a call as a framework's own parser can take it: what it would refuse, and have words of
 * its own for, is `{}` to it. Frameworks only show it; the tools run by the text as it was written.
 */
export function handedText(toolset: Toolset, name: string, text: string): string {
  return isReadable(toolset, name, text) ? text : '{}';
}

function isReadable(toolset: Toolset, name: string, text: string): boolean {
  const decoded = decode(toolset, { name, arguments: text });
  if (decoded.ok) return true;
  const { defects } = decoded.error;
  if (defects.some(({ code }) => unreadable.has(code))) return false;
  return defects[0].code !== 'unknown_tool' || isJson(text);
}

/**
 * The text of the call in which an answer was cut off. Providers that give arguments as a value make a
 * whole one of half a call; it is half all the same, and must not run.
 */
export function halfText(text: string): string {
  const written = text.trim();
  if (written === '') return '{';
  return written.endsWith('}') && isJson(written) ? written.slice(0, -1) : text;
}

const unreadable: ReadonlySet<string> = new Set(['invalid_json', 'forbidden_key']);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Frameworks tell calls apart by their ids: one that stands twice in an answer is made two. */
export class FreshIds {
  readonly #ids = new Set<string>();

  take(id: string): string {
    let fresh = id;
    for (let time = 2; this.#ids.has(fresh); time += 1) fresh = `${id}_${time}`;
    this.#ids.add(fresh);
    return fresh;
  }
}
