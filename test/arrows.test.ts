import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The steps of a call and what joins them: what the root entry may import. */
const steps = ['call', 'key', 'decode', 'execute', 'ledger', 'http', 'reply', 'runtime'];
/** What an adapter of a framework may import. */
const framework = [...steps, 'agent', 'adapter'];

/** Which folders of src each one may import. What is not said here is refused. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  call: [],
  key: ['call'],
  decode: ['call'],
  execute: ['call'],
  ledger: ['call'],
  http: ['call', 'execute'],
  reply: ['call', 'ledger'],
  runtime: steps.filter((name) => name !== 'runtime'),
  sqlite: ['call', 'ledger'],
  postgres: ['call', 'ledger'],
  agent: steps,
  adapter: [...steps, 'agent'],
  'ai-sdk': framework,
  openai: framework,
  anthropic: framework,
  'openai-agents': framework,
  langchain: framework,
  mastra: framework,
  mcp: framework,
  'mcp-proxy': [...steps, 'mcp'],
  otel: steps,
  console: steps,
  testing: [...steps, 'agent'],
  cli: [...steps, 'sqlite', 'postgres', 'mcp-proxy', 'console'],
};
const folders = Object.keys(arrows);

/** One file with one import, and whether the linter must refuse it. */
interface Trial {
  readonly file: string;
  readonly specifier: string;
  readonly refused: boolean;
}

const trials: readonly Trial[] = [
  ...folders.flatMap((from) =>
    folders.filter((to) => to !== from).flatMap((to) => between(from, to)),
  ),
  ...folders.map((from) => ({ file: `${from}/root.ts`, specifier: '../index.ts', refused: true })),
  ...folders.map((from) => ({ file: `${from}/own.ts`, specifier: './x.ts', refused: false })),
  ...folders.map((from) => ({ file: `${from}/deep/own.ts`, specifier: '../x.ts', refused: false })),
];

function between(from: string, to: string): readonly Trial[] {
  const refused = !(arrows[from] ?? []).includes(to);
  return [
    { file: `${from}/to-${to}.ts`, specifier: `../${to}/x.ts`, refused },
    { file: `${from}/deep/to-${to}.ts`, specifier: `../../${to}/x.ts`, refused },
  ];
}

describe('the arrows between the folders of src, by the linter', () => {
  const place = mkdtempSync(join(tmpdir(), 'forthright-arrows-'));
  afterAll(() => rmSync(place, { recursive: true }));

  it('are stated for each folder', () => {
    const entries = readdirSync(join(root, 'src'), { withFileTypes: true });
    const present = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(present.filter((name) => !folders.includes(name))).toEqual([]);
  });

  it('let through what they allow and refuse all else', () => {
    for (const trial of trials) write(place, trial.file, [trial.specifier]);
    const refused = refusedFiles(place);
    const expected = trials.filter((trial) => trial.refused).map(({ file }) => `src/${file}`);
    expect(refused).toEqual(expected.sort());
  });

  it('hold for the root entry, which imports no store, adapter or surface', () => {
    const allowed = steps.map((to) => `./${to}/x.ts`);
    const others = folders.filter((to) => !steps.includes(to));
    rmSync(join(place, 'src'), { recursive: true, force: true });
    write(place, 'index.ts', allowed);
    expect(refusedFiles(place)).toEqual([]);
    for (const other of [...others, 'some-adapter']) {
      write(place, 'index.ts', [...allowed, `./${other}/x.ts`]);
      expect(refusedFiles(place), other).toEqual(['src/index.ts']);
    }
  });
});

function write(place: string, file: string, specifiers: readonly string[]): void {
  const path = join(place, 'src', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, specifiers.map((from) => `export type * from '${from}';\n`).join(''));
}

/** Runs the linter by the project's own rules; the folder is no repository, so git is left out. */
function refusedFiles(place: string): readonly string[] {
  const rules = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(place, 'biome.json'), JSON.stringify({ ...rules, vcs: { enabled: false } }));
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', 'src'];
  const run = spawnSync(process.execPath, [biome, ...args], { cwd: place, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(run.stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  const found = diagnostics.filter(({ category }) => category.endsWith('/noRestrictedImports'));
  return [...new Set(found.map(({ location }) => location.path))].sort();
}
