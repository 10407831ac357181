import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineReader } from '../mcp/line-reader.ts';
import { longestMessageBytes } from './limits.ts';
import type { OpenWire, SendEnd, Wire, WireEvents } from './wire.ts';

/** How a server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const endMs = 1000;

/** Speaks to a server that is started as a process of its own (MCP, stdio). Its standard error is ours. */
export function stdioWire({ command, args }: ServerCommand): OpenWire {
  return (events) => new StdioWire(spawnServer(command, args), command, events);
}

/** Windows finds `npx` only through a shell, which takes one line. */
function spawnServer(command: string, args: readonly string[]): Child {
  const shell = process.platform === 'win32';
  const words = shell ? args.map((word) => `"${word.replaceAll('"', '\\"')}"`) : args;
  return spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'], shell, windowsHide: true });
}

class StdioWire implements Wire {
  readonly #child: Child;
  readonly #events: WireEvents;
  readonly #ended: Promise<void>;
  #isOver = false;

  constructor(child: Child, command: string, events: WireEvents) {
    this.#child = child;
    this.#events = events;
    const lines = new LineReader(longestMessageBytes);
    child.stdout.on('data', (chunk: Buffer) => {
      for (const { text, problem } of lines.push(chunk)) {
        if (problem === 'too_large') this.#over('the server sent a message that is too long');
        else events.onMessage(text);
      }
    });
    // What it wrote before it ended is read first: `close` comes after the last of it.
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#over(`${command} cannot be started: ${error.message}`);
        resolve();
      });
      child.on('close', (code, signal) => {
        this.#over(`the server ended (${signal ?? `exit code ${code}`})`);
        resolve();
      });
    });
    child.stdin.on('error', () => undefined);
  }

  send(text: string): Promise<SendEnd> {
    const { stdin } = this.#child;
    if (this.#isOver || !stdin.writable || this.#child.exitCode !== null) {
      return Promise.resolve({ end: 'not_sent', reason: 'the server is not running' });
    }
    return new Promise((resolve) => {
      // A line of one message: a line feed may stand between its parts, and only there.
      stdin.write(`${text.replaceAll(/[\r\n]/g, ' ')}\n`, (error) => {
        resolve(error ? { end: 'lost', reason: 'the server ended' } : { end: 'delivered' });
      });
    });
  }

  async close(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(endMs)) return;
      child.kill(signal);
    }
    await this.#endsWithin(endMs);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const ended = await Promise.race([this.#ended.then(() => true as const), late]);
    clearTimeout(timer);
    return ended;
  }

  #over(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#child.kill();
    this.#events.onClosed(reason);
  }
}
