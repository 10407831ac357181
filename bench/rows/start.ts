import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Effort, interleaved, type Subject } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts Node, and lets it do that. */
function starting(name: string, code: string): Subject {
  return {
    name,
    run(count) {
      for (let done = 0; done < count; done += 1) {
        const args = ['--input-type=module', '--eval', code];
        const { status, stderr } = spawnSync(process.execPath, args, { cwd: root });
        if (status !== 0) throw new Error(`${name}: ${stderr}`);
      }
    },
  };
}

const firstCall = `
  const { createRuntime, ok, tool } = await import('forthright');
  const get = tool({ name: 'get', description: 'Gets.', effect: 'read', input: { type: 'object', properties: {}, additionalProperties: false }, run: () => ok('It is there.') });
  await createRuntime({ tools: [get] }).call({ name: 'get', arguments: '{}', scope: 's' });
`;

/** How fast a process is ready. */
export const start: Row = {
  name: 'start',
  work: 'import of the root entry, first call on a cold start',
  async measure({ rounds }: Effort): Promise<Measured> {
    const timings = await interleaved(
      [
        starting("import 'zod'", "await import('zod')"),
        starting("import 'forthright'", "await import('forthright')"),
        starting('forthright, first call', firstCall),
        starting("import 'ai'", "await import('ai')"),
        starting('nothing', ''),
      ],
      { rounds, roundMs: 100 },
      'wall',
    );
    const kilobytes = (await firstLoad()) / 1000;
    const size: Finding = {
      work: 'the root entry, bundled, gzip',
      ours: 'what loads at first',
      beside: 'kB',
      value: kilobytes,
      aim: 'under 40',
      isMet: kilobytes < 40,
    };
    const work = 'import of the root entry';
    const ours = "import 'forthright'";
    return {
      timings: { start: timings },
      findings: [atMost(timings, { work, ours, beside: "import 'zod'", most: 1.5 }), size],
    };
  },
};

/** What a bundler puts into the chunk that is loaded first, and those that it imports. */
async function firstLoad(): Promise<number> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['dist/index.js'],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'out',
  });
  const sizes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).length]));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.outputs[next] !== undefined) load(next);
    }
  };
  load('out/index.js');
  return [...loaded].reduce((sum, path) => sum + (sizes.get(`${root}${path}`) ?? 0), 0);
}
