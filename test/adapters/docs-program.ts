import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the program of a page came to. */
export interface ProgramRun {
  readonly printed: string;
  /** What reached the billing service, at `BILLING_URL`. */
  readonly refunds: readonly string[];
}

/** Runs the n-th program of a page, as printed, in a project that has the package and what is named. */
export async function runProgram(
  page: string,
  given: {
    readonly packages: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly at?: number;
  },
): Promise<ProgramRun> {
  const refunds: string[] = [];
  const billing = createServer((request, response) => {
    refunds.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => billing.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'docs-program-'));
  try {
    const link = (name: string, target: string): void => {
      const path = join(folder, 'node_modules', name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
    };
    link('forthright', root);
    for (const name of given.packages) link(name, join(root, 'node_modules', name));
    const programs = readFileSync(join(root, page), 'utf8').split('```ts\n').slice(1);
    const [program = ''] = programs[given.at ?? 0]?.split('```') ?? [];
    writeFileSync(join(folder, 'program.mjs'), program);
    const { port } = billing.address() as AddressInfo;
    const BILLING_URL = `http://127.0.0.1:${port}`;
    return { printed: await run(folder, { ...given.env, BILLING_URL }), refunds };
  } finally {
    billing.close();
    rmSync(folder, { recursive: true });
  }
}

function run(cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['program.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  return new Promise((resolve) => child.on('close', () => resolve(printed)));
}
