import type { JsonObject } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';

/** The longest event that is read, in UTF-16 units; a stream with a longer one fails. */
const longest = 64 * 1024 * 1024;

/**
 * Server-sent events (HTML standard, section 9.2) whose data are JSON objects, each of them changed
 * into the ones to be seen in its place. Other events, such as `[DONE]`, stay as they are.
 */
export function changedEvents(
  stream: ReadableStream<Uint8Array>,
  change: (event: JsonObject) => Promise<readonly JsonObject[]>,
): ReadableStream<Uint8Array> {
  let rest = '';
  const events = new TransformStream<string, string>({
    async transform(chunk, out) {
      // What was there before has no end, but perhaps the beginning of one.
      let from = Math.max(0, rest.length - 3);
      rest += chunk;
      for (let end = endOf(rest, from); end !== undefined; end = endOf(rest, from)) {
        const block = rest.slice(0, end);
        rest = rest.slice(end);
        from = 0;
        out.enqueue(await changed(block, change));
      }
      if (rest.length > longest) throw new RangeError('a server-sent event is too long');
    },
    async flush(out) {
      // What has no blank line after it is no event, but a client may take it for one.
      if (rest !== '') out.enqueue(await changed(rest, change));
    },
  });
  return stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(events)
    .pipeThrough(new TextEncoderStream());
}

function endOf(text: string, from: number): number | undefined {
  const blank = /\r\n\r\n|\n\n|\r\r/g;
  blank.lastIndex = from;
  return blank.test(text) ? blank.lastIndex : undefined;
}

async function changed(
  block: string,
  change: (event: JsonObject) => Promise<readonly JsonObject[]>,
): Promise<string> {
  const lines = block.split(/\r\n|\n|\r/);
  const event = jsonOf(lines.filter((line) => line.startsWith('data:')));
  if (event === undefined) return block;
  const isNamed = lines.some((line) => line.startsWith('event:'));
  return (await change(event)).map((one) => written(one, isNamed)).join('');
}

function jsonOf(lines: readonly string[]): JsonObject | undefined {
  try {
    const data = lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function written(event: JsonObject, isNamed: boolean): string {
  const name = isNamed && typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
