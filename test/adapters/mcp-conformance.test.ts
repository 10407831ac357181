import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const example = ['--import', 'tsx', join(root, 'examples/mcp-server/main.ts')];

/** What a program wrote, and how it ended. */
function run(args: readonly string[], cwd = root): Promise<{ code: unknown; out: string }> {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, timeout: 150_000 }, (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, out: `${stdout}${stderr}` });
    });
  });
}

describe('examples/mcp-server', () => {
  let server: ChildProcess;
  let url: string;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  beforeAll(async () => {
    const args = [...example, '--http', '0', '--conformance'];
    server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] });
    const lines = createInterface({ input: server.stderr as NonNullable<typeof server.stderr> });
    for await (const line of lines) {
      url = line;
      if (line.startsWith('http://')) break;
    }
    server.stderr?.resume();
  }, 60_000);
  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
    rmSync(folder, { recursive: true });
  });

  test('passes every scenario of the active suite of @modelcontextprotocol/conformance', async () => {
    const suite = resolve('@modelcontextprotocol/conformance/dist/index.js');
    const { code, out } = await run([suite, 'server', '--url', url, '--output-dir', folder]);
    const summary = out.slice(out.indexOf('=== SUMMARY ==='));
    expect(summary.match(/^✗.*$/gm) ?? []).toEqual([]);
    expect((summary.match(/^✓.*$/gm) ?? []).length).toBeGreaterThanOrEqual(30);
    expect(code).toBe(0);
  }, 180_000);
});

describe("the inspector's command line", () => {
  const inspector = resolve('@modelcontextprotocol/inspector-cli/build/cli.js');
  const inspect = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const { out } = await run([inspector, '--cli', process.execPath, ...example, ...words]);
    return JSON.parse(out.slice(out.indexOf('{')));
  };

  test('lists the tools of the example and calls them, over stdio', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'get_ticket',
      'close_ticket',
      'check_write',
    ]);
    const call = ['--method', 'tools/call', '--tool-name'];
    expect(await inspect(...call, 'close_ticket', '--tool-arg', 'ticketId=1')).toMatchObject({
      structuredContent: { outcome: 'ok', code: 'done' },
    });
    expect(await inspect(...call, 'close_ticket')).toMatchObject({
      isError: true,
      structuredContent: { code: 'missing_argument' },
    });
  }, 120_000);
});
