import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildResult, build, type Metafile, type Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What Deno, Bun and Cloudflare's `nodejs_compat` have too. */
const builtIns: ReadonlySet<string> = new Set([
  'node:async_hooks',
  'node:crypto',
  'node:diagnostics_channel',
]);

/** What the package depends on, and so what installing it brings. */
const dependencies: ReadonlySet<string> = new Set(['@standard-schema/spec', 'typebox']);

const mostBytes = 70_000;

const root: string = fileURLToPath(new URL('..', import.meta.url));

/** esbuild knows the list of one Node; this asks the running one. */
const builtInsStayOutside: Plugin = {
  name: 'built-ins stay outside',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path }) =>
      isBuiltin(path) ? { path, external: true } : null,
    );
  },
};

async function bundle(entry: string): Promise<BuildResult<{ metafile: true; write: false }>> {
  return await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    outdir: 'out',
    minify: true,
    format: 'esm',
    target: 'node20',
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [builtInsStayOutside],
  });
}

describe('the root entry, bundled with its dependencies', async () => {
  const { metafile, outputFiles } = await bundle('src/index.ts');
  const outputs = Object.values(metafile.outputs);

  it('imports no other built-in than Deno, Bun and Cloudflare have too', () => {
    const external = outputs.flatMap(({ imports }) => imports.filter((found) => found.external));
    expect(external.map(({ path }) => path).filter((path) => !builtIns.has(path))).toEqual([]);
  });

  it('holds no package but the dependencies', () => {
    const packages = Object.keys(metafile.inputs).flatMap(packageOf);
    expect([...new Set(packages)].filter((name) => !dependencies.has(name))).toEqual([]);
  });

  it(`loads at first less than ${mostBytes / 1000} kB with gzip`, () => {
    const atFirst = loadedAtFirst(metafile);
    const files = outputFiles.filter(({ path }) => atFirst.has(relative(root, path)));
    const bytes = files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
    console.log(`The root entry loads ${(bytes / 1000).toFixed(1)} kB with gzip.`);
    expect(files.length).toBe(atFirst.size);
    expect(bytes).toBeLessThan(mostBytes);
  });
});

/** The entry, and what it imports statically; what is imported when it is needed is left out. */
function loadedAtFirst({ outputs }: Metafile): ReadonlySet<string> {
  const entry = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === 'src/index.ts');
  const found = new Set(entry);
  for (const path of found) {
    for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) found.add(imported);
    }
  }
  return found;
}

/** The package that a bundled file is of; none for the project's own. */
function packageOf(input: string): readonly string[] {
  const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1];
  return name === undefined ? [] : [name];
}
