import type { Defect } from '../call/tool-error.ts';

/** A defect in one line for a person: its code, where it is, and what stands there. */
export function sayDefect(defect: Defect): string {
  switch (defect.code) {
    case 'invalid_json':
      return `invalid_json: ${defect.detail}, at line ${defect.line}, column ${defect.column}`;
    case 'unsafe_number':
      return `unsafe_number (${defect.problem}): ${defect.received}${place(defect.path)}`;
    case 'arguments_too_large':
      return `arguments_too_large: ${defect.length} characters, where at most ${defect.limit} are taken`;
    case 'arguments_too_deep':
      return `arguments_too_deep: more than ${defect.limit} levels${place(defect.path)}`;
    case 'unknown_tool':
      return `unknown_tool: ${defect.name}`;
    default:
      return `${defect.code}${place(defect.path)}`;
  }
}

function place(path: string): string {
  return path === '' ? '' : ` at ${path.length > 200 ? `${path.slice(0, 200)}…` : path}`;
}
