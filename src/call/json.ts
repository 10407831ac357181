/** What JSON text can say, and nothing else. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** One JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
