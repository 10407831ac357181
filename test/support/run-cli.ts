import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** What a run of the command line left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line as it is built, as a process of its own. */
export function startCli(args: readonly string[]): ChildProcessWithoutNullStreams {
  if (!existsSync(main)) throw new Error('The package is not built: npm run build');
  return spawn(process.execPath, [main, ...args]);
}

/** Runs it to its end on a given standard input. */
export async function runCli(args: readonly string[], input: string | Buffer = ''): Promise<Ended> {
  const child = startCli(args);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A run that refuses its command line does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
