import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// The console's page, as the files that `forthright/console` serves.
const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}dist/console/static`;

await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'ui/console/main.tsx', out: 'app' },
    { in: 'ui/console/console.css', out: 'app' },
  ],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg'])
  cpSync(`${root}ui/console/${file}`, `${out}/${file}`);
