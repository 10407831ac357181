import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './mutants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a worker does: simulates what it is told to, and answers. */
const worker = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { simulate } from './src/testing/simulator/simulate.ts';
  simulate(workerData).then((simulation) => parentPort.postMessage(simulation));
`;

/**
 * The simulator and all that it simulates as the text of one script for a worker, with some of the
 * source replaced. Rejects where a text that is to be replaced does not stand there exactly once.
 */
export async function bundle(patches: readonly Patch[] = []): Promise<string> {
  const left = new Set(patches);
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    logLevel: 'silent',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    plugins: [patching(patches, left)],
  });
  const [missed] = left;
  if (missed !== undefined) throw new Error(`src/${missed.file} is no part of what is simulated.`);
  return outputFiles[0]?.text ?? '';
}

function patching(patches: readonly Patch[], left: Set<Patch>): Plugin {
  return {
    name: 'patch',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const patch of patches) {
          if (relative(root, path) !== `src/${patch.file}`) continue;
          contents = patched(contents, patch);
          left.delete(patch);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** The source of a file with a patch in it; throws where what it replaces does not stand there exactly once. */
export function patched(source: string, { file, find, put }: Patch): string {
  const pieces = source.split(find);
  if (pieces.length === 2) return pieces.join(put);
  throw new Error(
    `src/${file}: what is to be replaced stands there ${pieces.length - 1} times, not once:\n${find}`,
  );
}
