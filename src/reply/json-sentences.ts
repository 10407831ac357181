import type { JsonValue } from '../call/json.ts';

const mostSentences = 500;
const deepest = 32;

/** JSON as sentences: the plain fields of each object as one, and each longer text as its own. */
export function sentencesOfJson(text: string): string[] {
  const sentences: string[] = [];
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return [text];
  }
  collect(value, '', sentences, 0);
  return sentences;
}

function collect(value: JsonValue, key: string, sentences: string[], depth: number): void {
  if (depth > deepest || sentences.length >= mostSentences) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, key, sentences, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    collectObject(value as { readonly [key: string]: JsonValue }, key, sentences, depth);
  } else if (typeof value === 'string') {
    sentences.push(value);
  }
}

function collectObject(
  object: { readonly [key: string]: JsonValue },
  name: string,
  sentences: string[],
  depth: number,
): void {
  const fields: string[] = [];
  for (const [key, field] of Object.entries(object)) {
    if (typeof field === 'object' && field !== null) {
      collect(field, key, sentences, depth + 1);
    } else if (typeof field === 'string' && field.split(' ', 5).length > 4) {
      sentences.push(field);
    } else if (field !== null) {
      const words = wordsOf(key);
      fields.push(`${name === '' ? '' : `${wordsOf(name)} `}${words}: ${plain(field)}`);
    }
  }
  if (fields.length > 0) sentences.push(fields.join(' | '));
}

function plain(field: JsonValue): string {
  if (field === true) return 'yes';
  if (field === false) return 'no';
  const text = String(field);
  // A constant such as `return_requested` is words; an identifier with figures is not.
  return /\d/.test(text) ? text : wordsOf(text);
}

function wordsOf(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}
