import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { Catalog } from './catalog.ts';
import type { ProxyConfig } from './config.ts';
import type { ResponseMessage } from './message.ts';
import { cutOut, rawItems, rawObject, type Span, splice } from './raw-json.ts';

/**
 * The answer to `tools/list` for the client: the server's own text, but for what the configuration
 * adds: the argument that asks for a repeat, and `check_write` at the end of the last page.
 */
export async function shownList(
  message: ResponseMessage,
  config: ProxyConfig,
  catalog: Catalog,
): Promise<string> {
  const repeats = Object.values(config.tools ?? {}).some(({ repeat }) => repeat !== undefined);
  const { text, result } = message;
  if (result === undefined || (!repeats && config.checkWrite !== true)) return text;
  const tools = await catalog.current();
  const members = rawObject(text, result.start)?.members;
  const list = members?.get('tools');
  const items = list && rawItems(text, list.start);
  if (tools === undefined || list === undefined || items === undefined) return text;
  const changes = items.flatMap((item) => {
    const schema = rawObject(text, item.start)?.members.get('inputSchema');
    const found = tools.find(nameOf(text, item));
    return schema === undefined || found?.terms.repeat === undefined
      ? []
      : [{ span: schema, with: JSON.stringify(found.tool.parameters) }];
  });
  const check = tools.runtime.tools().find(({ name }) => name === 'check_write');
  const isLast = !members?.has('nextCursor');
  if (check !== undefined && isLast && tools.find('check_write') === undefined) {
    const { name, description, parameters } = check;
    const annotations = { readOnlyHint: true };
    const added = JSON.stringify({ name, description, inputSchema: parameters, annotations });
    const at = list.end - 1;
    changes.push({ span: { start: at, end: at }, with: `${items.length > 0 ? ',' : ''}${added}` });
  }
  return splice(text, changes);
}

function nameOf(text: string, item: Span): string {
  const value = JSON.parse(cutOut(text, item)) as JsonValue;
  return isJsonObject(value) ? String((value as JsonObject).name) : '';
}
