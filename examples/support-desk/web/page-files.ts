import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What the page consists of, by path. */
export type PageFiles = Readonly<
  Record<string, { readonly type: string; readonly body: string | Uint8Array }>
>;

const ui = new URL('../../../ui/', import.meta.url);

/** Bundles the page's program, and reads the rest. */
export async function pageFiles(): Promise<PageFiles> {
  const style = 'text/css; charset=utf-8';
  const [program, html, tokens, base, own] = await Promise.all([
    bundled('desk/main.tsx'),
    ...['desk/index.html', 'tokens.css', 'base.css', 'desk/style.css'].map((name) =>
      readFile(new URL(name, ui)),
    ),
  ]);
  return {
    '/': { type: 'text/html; charset=utf-8', body: html ?? '' },
    '/main.js': { type: 'text/javascript; charset=utf-8', body: program },
    '/tokens.css': { type: style, body: tokens ?? '' },
    '/base.css': { type: style, body: base ?? '' },
    '/style.css': { type: style, body: own ?? '' },
  };
}

async function bundled(name: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, ui))],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
