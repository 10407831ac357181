import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A program of this folder's, in one file that any Node can run: a child process has no vitest to read TypeScript. */
export function bundled(entry: string): string {
  const folder = join(root, 'node_modules', '.cache', 'forthright');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${entry.replaceAll('/', '-')}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [join(root, 'test', entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return outfile;
}
