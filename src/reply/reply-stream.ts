import { ReplyGuard, type ReplyStreamOptions } from './reply-guard.ts';

/**
 * A transform for web streams of text, such as a model's reply on its way to the customer. A
 * sentence is held back until it is whole, released as soon as nothing that may follow can make it
 * false, and replaced if it is. What a broken stream leaves unfinished is not shown.
 */
export function replyStream(options: ReplyStreamOptions): TransformStream<string, string> {
  const guard = new ReplyGuard(options);
  const enqueue = (text: string, out: TransformStreamDefaultController<string>): void => {
    if (text !== '') out.enqueue(text);
  };
  return new TransformStream({
    transform: async (chunk, out) => enqueue(await guard.push(chunk), out),
    flush: async (out) => enqueue(await guard.end(), out),
  });
}

/** The same for async iterables. Where the source throws, what is held back is not shown. */
export async function* checkedText(
  source: AsyncIterable<string>,
  options: ReplyStreamOptions,
): AsyncGenerator<string> {
  const guard = new ReplyGuard(options);
  for await (const chunk of source) {
    const text = await guard.push(chunk);
    if (text !== '') yield text;
  }
  const text = await guard.end();
  if (text !== '') yield text;
}
