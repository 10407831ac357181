import { type Line, LineReader } from '../mcp/line-reader.ts';
import { longestMessageBytes } from './limits.ts';
import { errorText } from './message.ts';
import { ProxySession, type SessionOptions } from './session.ts';

/** A session over standard input and output. */
export interface StdioOptions extends Omit<SessionOptions, 'toClient' | 'onDead'> {
  readonly stdin: AsyncIterable<Buffer>;
  out(text: string): Promise<void>;
}

/** A client waits about two seconds before it kills: less than that for what is under way. */
const graceMs = 1200;

const refusals = {
  not_utf8: 'The message is no UTF-8.',
  too_large: `The message is longer than ${longestMessageBytes} bytes.`,
} as const;

/**
 * Serves one client until it closes its end, or the process is asked to stop. Resolves to the exit
 * code: 0, or 1 where the server could not be started.
 */
export async function serveStdio({ stdin, out, ...options }: StdioOptions): Promise<0 | 1> {
  const { promise: dead, resolve: die } = withResolver();
  const toClient = (text: string): void => {
    // A message is one line, and its blanks mean nothing.
    void out(`${text.replaceAll(/[\r\n]/g, ' ')}\n`);
  };
  const session = new ProxySession({
    ...options,
    toClient,
    onDead: (reason) => {
      options.logger.error({}, reason);
      die();
    },
  });
  const stopped = untilSignal();
  const lines = new LineReader(longestMessageBytes);
  const take = ({ text, problem }: Line): void => {
    if (problem === undefined) session.receive(text);
    else toClient(errorText('null', problem === 'not_utf8' ? -32_700 : -32_600, refusals[problem]));
  };
  const read = async (): Promise<'left'> => {
    for await (const chunk of stdin) lines.push(chunk).forEach(take);
    lines.end().forEach(take);
    return 'left';
  };
  const end = await Promise.race([
    read(),
    stopped.promise.then(() => 'stopped' as const),
    dead.then(() => 'dead' as const),
  ]);
  stopped.off();
  await session.close(graceMs);
  return end === 'dead' ? 1 : 0;
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Resolves when the process is asked to stop. */
export function untilSignal(): { readonly promise: Promise<void>; off(): void } {
  const { promise, resolve } = withResolver();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, resolve);
  const off = (): void => {
    for (const signal of signals) process.removeListener(signal, resolve);
  };
  return { promise, off };
}
