import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { SkipReporter } from './scripts/skip-reporter.ts';

const src: string = fileURLToPath(new URL('src/', import.meta.url));

const config: ViteUserConfig = defineConfig({
  resolve: {
    // The package by its own name is the source, as in tsconfig.json.
    alias: [
      { find: /^forthright$/, replacement: `${src}index.ts` },
      { find: /^forthright\/(.+)$/, replacement: `${src}$1/index.ts` },
    ],
  },
  test: {
    // Types in *.test-d.ts are checked by `npm run types`.
    include: ['{src,test,examples,scripts,bench}/**/*.test.ts'],
    // One core is left idle otherwise.
    maxWorkers: '100%',
    // Nothing is measured by it: a busy machine starts processes slowly.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', new SkipReporter()],
  },
});

export default config;
