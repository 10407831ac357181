import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { answered } from '../src/call/evidence.ts';
import { ok } from '../src/call/result.ts';
import { tool } from '../src/decode/define-tool.ts';
import { createRuntime } from '../src/runtime/create-runtime.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';

// What the proxy adds to a call, side by side with the same server spoken to directly. A write's own
// commits are measured beside it, by the same tool on the same kind of ledger in this process.
//   npm run build && npx tsx scripts/proxy-latency.ts [calls]

const calls = Number(process.argv[2] ?? 500);
const folder = mkdtempSync(join(tmpdir(), 'forthright-latency-'));
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const server = `
import { createInterface } from 'node:readline';
const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const tools = [
  { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'pay', inputSchema },
];
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }) + '\\n');
});
`;
const serverArgs = ['--input-type=module', '--eval', server];

class Peer {
  readonly #child;
  readonly #waiting = new Map<number, () => void>();
  #lastId = 0;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const { id } = JSON.parse(line) as { id?: number };
      if (id !== undefined) this.#waiting.get(id)?.();
    });
  }

  async ask(method: string, params: object): Promise<number> {
    const id = ++this.#lastId;
    const text = `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const startedMs = performance.now();
    await new Promise<void>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin.write(text);
    });
    this.#waiting.delete(id);
    return performance.now() - startedMs;
  }

  async start(): Promise<this> {
    const clientInfo = { name: 'c', version: '1' };
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  end(): void {
    this.#child.stdin.end();
  }
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;
}

const say = (what: string, times: readonly number[]): void => {
  const ms = (part: number): string => at(times, part).toFixed(3).padStart(8);
  console.log(`${what.padEnd(34)} median ${ms(0.5)} ms   p95 ${ms(0.95)} ms`);
};

/** The same write without a proxy: claim, mark and complete, and nothing to wait for. */
async function ownCommits(): Promise<() => Promise<number>> {
  const pay = tool({
    name: 'pay',
    description: '',
    effect: 'write',
    input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    run: async (_, call) => {
      await call.dispatch(async () => answered('done'));
      return ok('Done.', { content: [{ type: 'text', text: 'done' }] });
    },
  });
  const ledger = sqliteLedger(join(folder, 'own.db'));
  const runtime = createRuntime({ tools: [pay], ledger, reconcileEveryMs: false });
  let n = 0;
  return async () => {
    const startedMs = performance.now();
    n += 1;
    await runtime.call({ name: 'pay', arguments: `{"n":${n}}`, scope: 's' });
    return performance.now() - startedMs;
  };
}

const direct = await new Peer(serverArgs).start();
const proxied = await new Peer([
  main,
  'proxy',
  '--ledger',
  join(folder, 'proxy.db'),
  '--',
  process.execPath,
  ...serverArgs,
]).start();
const own = await ownCommits();

const times: Record<string, number[]> = {
  directRead: [],
  read: [],
  directWrite: [],
  write: [],
  own: [],
};
// One after the other in turn, so that whatever else the machine does meets all of them.
for (let n = -50; n < calls; n++) {
  const look = { name: 'look', arguments: { n } };
  const pay = { name: 'pay', arguments: { n } };
  const round = {
    directRead: await direct.ask('tools/call', look),
    read: await proxied.ask('tools/call', look),
    directWrite: await direct.ask('tools/call', pay),
    write: await proxied.ask('tools/call', pay),
    own: await own(),
  };
  if (n < 0) continue;
  for (const [name, ms] of Object.entries(round)) times[name]?.push(ms);
}
direct.end();
proxied.end();

const { directRead = [], read = [], directWrite = [], write = [] } = times;
const pairs = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((ms, index) => ms - (right[index] ?? 0));
say('read, direct', directRead);
say('read, through the proxy', read);
say('write, direct', directWrite);
say('write, through the proxy', write);
say("write's own commits, no proxy", times.own ?? []);
const addedRead = at(pairs(read, directRead), 0.5);
const addedWrite = at(pairs(pairs(write, directWrite), times.own ?? []), 0.5);
console.log(`added to a read: median ${addedRead.toFixed(3)} ms`);
console.log(`added to a write beside its own commits: median ${addedWrite.toFixed(3)} ms`);
rmSync(folder, { recursive: true });
