import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/mcp-proxy/config-schema.ts';
import { readConfig } from '../../src/mcp-proxy/read-config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/mcp-proxy.md'), 'utf8');

const blocks = (language: string): readonly string[] =>
  page
    .split(`\n\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split('\n```')[0] ?? '');

/** What npx would start, had it fetched these packages. */
const npx = `#!${process.execPath}
import { spawnSync } from 'node:child_process';
const [name, ...args] = process.argv.slice(2).filter((word) => word !== '-y');
const files = { forthright: 'dist/cli/main.js', '@modelcontextprotocol/server-filesystem': 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js' };
const { status } = spawnSync(process.execPath, [${JSON.stringify(root)} + files[name], ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
`;

test('the program of docs/mcp-proxy.md runs as printed', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-proxy-docs-')));
  try {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'node_modules', '@modelcontextprotocol'), { recursive: true });
    const sdk = join('node_modules', '@modelcontextprotocol', 'sdk');
    symlinkSync(join(root, sdk), join(folder, sdk));
    writeFileSync(join(folder, 'bin', 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'bin', 'npx'), npx);
    chmodSync(join(folder, 'bin', 'npx'), 0o755);
    writeFileSync(join(folder, 'program.mjs'), blocks('ts')[0] ?? '');
    const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
    const printed = await run(folder, { PATH: path });
    const [, shown = ''] = page.split('It prints\n\n```\n');
    expect(printed).toBe(shown.split('```')[0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what docs/mcp-proxy.md shows as JSON can be used', () => {
  const [claude = '', code = '', config = ''] = blocks('json');
  expect(Object.keys(JSON.parse(claude) as object)).toEqual(['mcpServers']);
  expect(Object.keys(JSON.parse(code) as object)).toEqual(['servers']);
  expect(readConfig(config).ok).toBe(true);
});

test('docs/mcp-proxy.md has a row for each setting', () => {
  const [, table = ''] = page.split('## Configuration file');
  const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const { properties } = configSchema as {
    properties: { tools: { additionalProperties: { properties: object } } };
  };
  const settings = new Set([
    ...Object.keys(properties).filter((name) => name !== 'tools' && name !== '$schema'),
    ...Object.keys(properties.tools.additionalProperties.properties),
  ]);
  expect(named.toSorted()).toEqual([...settings].toSorted());
});

test('the published schema is the one that is enforced', () => {
  const published = readFileSync(join(root, 'dist/mcp-proxy/config.schema.json'), 'utf8');
  expect(JSON.parse(published)).toEqual(configSchema);
});

function run(cwd: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['program.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  return new Promise((resolve) => child.on('close', () => resolve(printed)));
}
