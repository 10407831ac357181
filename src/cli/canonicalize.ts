import type { JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { Defect } from '../call/tool-error.ts';
import { parseStrict } from '../decode/strict-json.ts';
import { canonicalize as canonicalText } from '../key/canonical-json.ts';
import { type Command, numberOption, positionals } from './command.ts';
import { utf8 } from './lines.ts';
import { sayDefect } from './say-defect.ts';

const mostBytes = 256 * 1024 * 1024;
const deepest = 1000;

/** `forthright canonicalize` */
export const canonicalize: Command = {
  name: 'canonicalize',
  summary: 'JSON on standard input → its canonical form (RFC 8785)',
  help: `Usage: forthright canonicalize [--max-depth N] < value.json

Reads one JSON value and writes its canonical form (RFC 8785): exactly those bytes, with no line
feed after them, so that \`forthright canonicalize < value.json | sha256sum\` is the value's hash.

Read strictly: what JSON.parse would hide or change is refused by name (duplicate_key,
unsafe_number, forbidden_key, invalid_unicode, arguments_too_deep, invalid_json), and nothing is
written. At most 256 MiB are read.

Options:
  --max-depth N   how deep objects and lists may be nested, 1 to ${deepest}; ${deepest} if left out
  --help          print this

Exit codes: 0 written; 1 the input was refused; 2 the command line is wrong.`,
  options: { 'max-depth': { type: 'string' } },
  async run(said, { stdin, out, err }) {
    positionals(said);
    const maxDepth = numberOption(said, 'max-depth', {
      least: 1,
      most: deepest,
      otherwise: deepest,
    });
    const read = await readAll(stdin, mostBytes);
    const text = read === 'too_long' ? undefined : utf8(read);
    if (text === undefined) {
      err(
        read === 'too_long'
          ? `arguments_too_large: more than ${mostBytes} bytes`
          : 'invalid_unicode: the input is not UTF-8',
      );
      return 1;
    }
    const value = strictValue(text, maxDepth);
    if (!value.ok) {
      for (const defect of value.error) err(sayDefect(defect));
      return 1;
    }
    await out(canonicalText(value.value));
    return 0;
  },
};

async function readAll(source: AsyncIterable<Buffer>, limit: number): Promise<Buffer | 'too_long'> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of source) {
    length += part.length;
    if (length > limit) return 'too_long';
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Any JSON value as strictly as the arguments of a call, which are always an object. */
function strictValue(text: string, maxDepth: number): Step<JsonValue, readonly Defect[]> {
  const parsed = parseStrict(text, { maxLength: Number.POSITIVE_INFINITY, maxDepth });
  if (parsed.ok) return parsed;
  const defects = parsed.error.filter((defect) => !isOtherValue(defect));
  if (defects.length > 0) return refuse(defects);
  // The value is clean and no object; only what follows it is open.
  try {
    return pass(JSON.parse(text) as JsonValue);
  } catch {
    return refuse(
      parsed.error.map((defect) => ({ ...defect, detail: 'other text after the value' })),
    );
  }
}

function isOtherValue(defect: Defect): boolean {
  return defect.code === 'invalid_json' && defect.problem === 'not_an_object';
}
