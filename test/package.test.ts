import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
};

/** What an adapter needs beside the package: the framework that it is for. */
const frameworksOf: Readonly<Record<string, readonly string[]>> = {
  './ai-sdk': ['ai'],
  './otel': ['@opentelemetry/api'],
  './openai': ['openai'],
  './langchain': ['@langchain/core', '@langchain/langgraph'],
  './mastra': ['@mastra/core'],
  './anthropic': ['@anthropic-ai/sdk'],
  './openai-agents': ['@openai/agents', 'zod'],
};

describe('the package, as it is packed, in a project that has its dependencies and nothing else', () => {
  const project = mkdtempSync(join(tmpdir(), 'forthright-package-'));
  afterAll(() => rmSync(project, { recursive: true }));
  const installed = join(project, 'node_modules', 'forthright');

  const pack = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(pack) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const path of paths) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    cpSync(join(root, path), join(installed, path));
  }
  const linkOf = (name: string): string => join(project, 'node_modules', name);
  const link = (name: string): void => {
    mkdirSync(dirname(linkOf(name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), linkOf(name));
  };
  Object.keys(manifest.dependencies).forEach(link);

  const node = (...args: readonly string[]): string =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });

  it('holds what is built, and no tests', () => {
    const extra = paths.filter((path) => !path.startsWith('dist/'));
    const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    expect(extra.filter((path) => !allowed.includes(path))).toEqual([]);
    expect(paths.filter((path) => /\.test(-d)?\./.test(path))).toEqual([]);
    expect(paths).toContain('LICENSE');
  });

  it.each(Object.keys(manifest.exports))('has what it exports as %s', (subpath) => {
    const target = manifest.exports[subpath];
    if (target === undefined || typeof target === 'string') return;
    expect(existsSync(join(installed, target.types))).toBe(true);
    const name = `forthright${subpath.slice(1)}`;
    const code = `const all = await import('${name}'); console.log(Object.keys(all).length)`;
    const frameworks = frameworksOf[subpath] ?? [];
    frameworks.forEach(link);
    try {
      expect(Number(node('--input-type=module', '--eval', code))).toBeGreaterThan(0);
    } finally {
      for (const framework of frameworks) unlinkSync(linkOf(framework));
    }
  });

  it('has a command line that starts', () => {
    const main = join(installed, manifest.bin.forthright ?? '');
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(node(main, '--help')).toContain('Usage: forthright');
  });
});
