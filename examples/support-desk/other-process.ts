import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a desk in a process of its own is given. */
export interface DeskTask {
  readonly kind: 'naive' | 'forthright';
  readonly billingUrl: string;
  readonly ledgerPath: string;
  readonly text: string;
}

/** A desk in a process of its own. */
export interface OtherProcess {
  /** Waits for something that the process leads to; rejects where it ends without that. */
  until<T>(what: Promise<T>): Promise<T>;
  /** Ends it with SIGKILL: it has no chance to say or do anything more. */
  kill(): Promise<void>;
}

/** Starts a desk in a process of its own. */
export function startOtherProcess(task: DeskTask): OtherProcess {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = fileURLToPath(new URL('./desk-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', tsx, program, JSON.stringify(task)], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = endOf(child);
  return {
    until: (what) => Promise.race([what, ended]) as Promise<Awaited<typeof what>>,
    async kill() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}

/** Rejects once the process has ended, with what it wrote to standard error. */
async function endOf(child: ChildProcess): Promise<never> {
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code, signal] = await once(child, 'exit');
  throw new Error(`the other process ended (${signal ?? code}): ${complaint}`);
}
