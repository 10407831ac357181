import { LineSplitter, longestMessageBytes, utf8 } from './lines.ts';
import { errorText } from './message.ts';
import { ProxySession, type SessionOptions } from './session.ts';

/** A session over standard input and output. */
export interface StdioOptions extends Omit<SessionOptions, 'toClient' | 'onDead'> {
  readonly stdin: AsyncIterable<Buffer>;
  out(text: string): Promise<void>;
}

/** A client waits about two seconds before it kills: less than that for what is under way. */
const graceMs = 1200;

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
  const lines = new LineSplitter(longestMessageBytes, {
    line: (line) => {
      const text = utf8(line);
      if (text === undefined) toClient(errorText('null', -32_700, 'The message is no UTF-8.'));
      else session.receive(text);
    },
    tooLong: () => {
      const most = `The message is longer than ${longestMessageBytes} bytes.`;
      toClient(errorText('null', -32_600, most));
    },
  });
  const read = async (): Promise<'left'> => {
    for await (const chunk of stdin) lines.push(chunk);
    lines.end();
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
