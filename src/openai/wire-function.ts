import type { Offered } from '../adapter/offered.ts';
import { textOf } from '../adapter/wire.ts';
import type { JsonObject } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';

/**
 * A function as it goes over the wire. The SDK is not told of strict mode, since it would then parse
 * the arguments by itself, and reject where it cannot.
 */
export function wireFunction(offered: Offered, named: JsonObject): JsonObject {
  const { name, parameters } = named;
  if (!isJsonObject(parameters)) return named;
  const form = offered.form({ name: textOf(name), parameters });
  return form.strict ? { ...named, ...form } : named;
}
