import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noEvidence } from '../src/index.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { desk, Remote, refundTool } from './support/refunds.ts';
import { runCli } from './support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A ledger file with writes that are unknown, and one that is done; patient ones were sent long ago. */
async function ledgerFile(
  name: string,
  { sentAgoMs = 0 } = {},
): Promise<{ path: string; keys: string[] }> {
  const path = join(folder, name);
  const ledger = sqliteLedger({ path, nowMs: () => Date.now() - sentAgoMs });
  const remote = new Remote();
  const done = desk([refundTool(remote, { replayMs: 1000 })], { ledger });
  await done.refund({ orderId: 1, amountCents: 100 });
  remote.behave = async () => noEvidence('reset');
  for (const orderId of [2, 3]) await done.refund({ orderId, amountCents: 100 });
  const keys = (await ledger.list({})).map(({ key }) => key);
  await ledger.close();
  return { path, keys };
}

const by = ['--by', 'ann', '--why', 'seen in the books'];

describe('forthright ledger settle', () => {
  test('says that it happened, with what the remote system has on it', async () => {
    const { path, keys } = await ledgerFile('happened.db');
    const open = (await runCli(['ledger', 'list', '--unknown', '--json', path])).stdout;
    expect(open.trim().split('\n')).toHaveLength(2);
    const [key = ''] = keys.slice(1);
    const args = [
      'ledger',
      'settle',
      ...by,
      '--data',
      '{"confirmation":"b-7"}',
      path,
      key.slice(0, 12),
      'happened',
    ];
    expect(await runCli(args)).toEqual({ code: 0, stdout: `${key} is ok now.\n`, stderr: '' });
    const shown = JSON.parse((await runCli(['ledger', 'show', '--json', path, key])).stdout);
    expect(shown).toMatchObject({
      state: 'ok',
      announce: true,
      verdict: { verdict: 'happened', by: 'ann', why: 'seen in the books' },
    });
    expect(JSON.parse(shown.result)).toMatchObject({
      outcome: 'ok',
      data: { confirmation: 'b-7' },
    });
    const again = await runCli(args);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/is ok; nothing about it is open/);
  });

  test('does not believe that it did not happen while it still may', async () => {
    const { path, keys } = await ledgerFile('early.db');
    const { code, stderr } = await runCli([
      'ledger',
      'settle',
      ...by,
      path,
      keys[1] ?? '',
      'did_not_happen',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/may still take effect until \d{4}-/);
  });

  test('and does afterwards', async () => {
    const { path, keys } = await ledgerFile('late.db', { sentAgoMs: 3_600_000 });
    const args = ['ledger', 'settle', '--json', ...by, path, keys[1] ?? '', 'did_not_happen'];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'failed', failedBy: 'verdict' });
  });

  test.each<[string[], RegExp]>([
    [['x.db', 'abcdef', 'happened'], /--by is missing/],
    [['--by', 'ann', 'x.db', 'abcdef', 'happened'], /--why is missing/],
    [[...by, 'x.db', 'abcdef', 'perhaps'], /VERDICT takes happened or did_not_happen/],
    [[...by, '--data', '{', 'x.db', 'abcdef', 'happened'], /--data takes JSON/],
    [[...by, join(folder, 'none.db'), 'abcdef', 'happened'], /none\.db/],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['ledger', 'settle', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('forthright ledger purge', () => {
  test('removes what is settled, told and old, and nothing else', async () => {
    const { path } = await ledgerFile('purge.db', { sentAgoMs: 3_600_000 });
    expect(await runCli(['ledger', 'purge', '--older-than', '2h', path])).toMatchObject({
      stdout: '0 removed.\n',
    });
    const { stdout } = await runCli(['ledger', 'purge', '--older-than', '30m', '--json', path]);
    expect(JSON.parse(stdout)).toEqual({ purged: 1 });
    expect(
      (await runCli(['ledger', 'list', '--json', path])).stdout.trim().split('\n'),
    ).toHaveLength(2);
  });

  test.each([['30'], ['1w'], ['-1d']])('an age of %s is refused', async (age) => {
    expect(await runCli(['ledger', 'purge', `--older-than=${age}`, 'x.db'])).toMatchObject({
      code: 2,
    });
  });
});

describe('forthright reconcile', () => {
  const module = join(folder, 'tools.mjs');

  beforeAll(() => {
    const root = pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href;
    writeFileSync(
      module,
      `import { happened, notKnownYet, tool } from ${JSON.stringify(root)};
      export const tools = [tool({
        name: 'refund_order', description: 'Refunds.', effect: 'write',
        input: { type: 'object', properties: { orderId: {}, amountCents: {}, reason: {} } },
        run() { throw new Error('not now'); },
        reconcile: ({ orderId }) => orderId === 2 ? happened({ confirmation: 'r-2' }) : notKnownYet(),
      })];`,
    );
  });

  test('asks through the tools of a module, and says what is open still', async () => {
    const { path } = await ledgerFile('reconcile.db');
    const { code, stdout } = await runCli(['reconcile', '--tools', module, '--json', path]);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 1,
      asked: 2,
      settled: 1,
      open: 1,
      overdue: 0,
    });
  });

  test.each<[string[], RegExp]>([
    [['x.db'], /--tools is missing/],
    [['--tools', join(folder, 'none.mjs'), 'x.db'], /cannot be loaded/],
    [['--tools', join(import.meta.dirname, '../dist/sqlite/index.js'), 'x.db'], /exports no tools/],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, stderr } = await runCli(['reconcile', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('forthright check-reply', () => {
  test('answers each line in order, and names a line that it cannot read', async () => {
    const entry = { tool: 'refund_order', input: { orderId: 4512, amountCents: 2000 } };
    const reply = 'I have refunded $20.00 on order 4512.';
    const lines = [
      JSON.stringify({ reply, entries: [{ ...entry, outcome: 'ok' }] }),
      '',
      JSON.stringify({ reply, entries: [{ ...entry, outcome: 'unknown' }] }),
      JSON.stringify({ reply, entries: [{ ...entry, outcome: 'maybe' }] }),
      '{"reply":',
    ];
    const { code, stdout } = await runCli(['check-reply'], lines.join('\n'));
    const [pass, corrected, bad, broken] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(pass).toEqual({ verdict: 'pass', findings: [], reply });
    expect(corrected).toMatchObject({ verdict: 'corrected', findings: [{ claim: 'done' }] });
    expect(bad.error).toMatch(/line 4: "entries" must be a list/);
    expect(broken.error).toMatch(/line 5/);
  });
});
