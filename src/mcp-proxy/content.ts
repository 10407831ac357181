import type { JsonObject, JsonValue } from '../call/json.ts';

/** The blocks of a CallToolResult's content; none where it has none. */
export function contentBlocks(content: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).filter(
    (block): block is JsonObject => typeof block === 'object' && block !== null,
  );
}

/** What the text blocks say, a line each. */
export function contentText(content: JsonValue | undefined): string {
  return contentBlocks(content)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** Whether nothing but text stands there. */
export function isAllText(content: JsonValue | undefined): boolean {
  return contentBlocks(content).every(({ type }) => type === 'text');
}
