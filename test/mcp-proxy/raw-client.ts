import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/call/json.ts';
import { bundled } from '../support/bundled.ts';

const main: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const server: string = bundled('mcp-proxy/counting-server-child.ts');

/** How the counting server is started for a folder. */
export function serverCommand(folder: string): readonly string[] {
  return [process.execPath, server, folder];
}

/** How the proxy is started in front of it. */
export function proxyArgs(folder: string, ...options: readonly string[]): string[] {
  const ledger = join(folder, 'ledger.db');
  return [main, 'proxy', '--ledger', ledger, ...options, '--', ...serverCommand(folder)];
}

/** A folder in which a counting server counts. */
export class Folder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'forthright-proxy-'));

  behave(behaviour: string): void {
    writeFileSync(join(this.path, 'behaviour'), behaviour);
  }

  release(): void {
    appendFileSync(join(this.path, 'release'), 'x');
  }

  get effects(): number {
    return this.#lines('effects').length;
  }

  /** Every line that the server has received. */
  get received(): readonly string[] {
    return this.#lines('received');
  }

  get serverPid(): number {
    return Number(readFileSync(join(this.path, 'pid'), 'utf8'));
  }

  write(name: string, content: string): string {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #lines(name: string): readonly string[] {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }
}

/** What a tool call came to, as the client reads it. */
export interface Called {
  readonly text: string;
  readonly message: JsonObject;
  readonly result: JsonObject;
  readonly outcome: string | undefined;
  readonly code: string | undefined;
}

/** A client that writes and reads the text of messages itself. */
export class RawClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: string[] = [];
  stderr = '';
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(process.execPath, args, { env });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.said.push(line);
      for (const look of [...this.#waiting]) look();
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin.on('error', () => undefined);
  }

  write(text: string): void {
    this.child.stdin.write(`${text}\n`);
  }

  /** The first line, of those said already too, that is as wanted. */
  async until(isWanted: (message: JsonObject) => boolean, from = 0): Promise<string> {
    for (;;) {
      const found = this.said
        .slice(from)
        .find((line) => line.startsWith('{') && isWanted(JSON.parse(line) as JsonObject));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
  }

  async initialize(capabilities: JsonObject = {}): Promise<string> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'raw', version: '1' },
    };
    this.write(JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params }));
    const text = await this.until(({ id }) => id === 'hello');
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return text;
  }

  /** Sends a call whose arguments are given as text; resolves to its answer. */
  async call(name: string, args: string, extra = ''): Promise<Called> {
    const id = this.send(name, args, extra);
    return await this.answer(id);
  }

  send(name: string, args: string, extra = ''): number {
    this.#lastId += 1;
    this.write(
      `{"jsonrpc":"2.0","id":${this.#lastId},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}${extra}}}`,
    );
    return this.#lastId;
  }

  async answer(id: number): Promise<Called> {
    const text = await this.until((message) => message.id === id && message.method === undefined);
    const message = JSON.parse(text) as JsonObject;
    const result = (message.result ?? {}) as JsonObject;
    const meta = ((result._meta ?? {}) as JsonObject)['forthright/result'] as
      | JsonObject
      | undefined;
    return {
      text,
      message,
      result,
      outcome: meta?.outcome as string | undefined,
      code: meta?.code as string | undefined,
    };
  }

  /** Closes standard input, and waits for the end. */
  async leave(): Promise<number | null> {
    this.child.stdin.end();
    return await this.ended();
  }

  async ended(): Promise<number | null> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    return await new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  }
}
