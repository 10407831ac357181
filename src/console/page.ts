import { readFile } from 'node:fs/promises';
import { problem } from './answers.ts';
import { safeHeaders } from './guard.ts';

/** The page's files, as the build makes them beside this module. */
const files: Readonly<Record<string, string>> = {
  '': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** One of the page's files; undefined where it has none of that name. */
export async function pageFile(name: string): Promise<Response | undefined> {
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (type === undefined) return undefined;
  const path = new URL(`./static/${name === '' ? 'index.html' : name}`, import.meta.url);
  try {
    const headers = { ...safeHeaders, 'content-type': type, 'cache-control': 'no-cache' };
    return new Response(new Uint8Array(await readFile(path)), { headers });
  } catch {
    return problem(500, 'The page is not built: npm run build.');
  }
}
