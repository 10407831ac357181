import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { broken } from '../examples/support-desk/play.ts';
import { scenarios } from '../examples/support-desk/scenarios/index.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const program = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  'tsx',
  'examples/support-desk/main.ts',
];

function spawnStart(...args: readonly string[]) {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return spawn(process.execPath, [...program, ...args], { cwd: root, stdio: [...stdio] });
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const words = [...program, ...args];
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      words,
      { cwd: root, env: { ...inherited, ...env } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const patienceMs = 60_000;
const escapeCode = '\u001b[';

describe('npm start', () => {
  it(
    'plays a scenario on both desks, and says what billing really did',
    async () => {
      const { code, out, err } = await start(['--scenario', 'twins']);
      expect(err).toBe('');
      expect(code).toBe(0);
      expect(out).toContain('as it is written today');
      expect(out).toContain('2 refunds, 40.00 (20.00 + 20.00)  ✗ meant: 1 refund, 20.00');
      expect(out).toContain('skipped already_in_progress');
      expect(out).toContain('1 refund, 20.00  ✓');
      expect(out).not.toContain(escapeCode);
    },
    patienceMs,
  );

  it(
    'colours where it is told to, and not where NO_COLOR is set',
    async () => {
      const coloured = await start(['--scenario', 'refused'], { FORCE_COLOR: '1' });
      expect(coloured.out).toContain(escapeCode);
      const plain = await start(['--scenario', 'refused'], { FORCE_COLOR: '1', NO_COLOR: '1' });
      expect(plain.out).not.toContain(escapeCode);
    },
    patienceMs,
  );

  it(
    'serves the page until it is interrupted, and says where',
    async () => {
      const child = spawnStart('--port', '0');
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      const [, url = ''] = /The desk is at (\S+)/.exec(said.toString()) ?? [];
      expect(await (await fetch(url)).text()).toContain('<title>forthright');
      const { port } = new URL(url);
      const second = await start(['--port', port]);
      expect(second.code).toBe(1);
      expect(second.err).toContain(`port ${port} is taken`);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
    patienceMs,
  );

  it(
    'lists the scenarios',
    async () => {
      const { code, out } = await start(['--list']);
      expect(code).toBe(0);
      for (const { name, title } of scenarios) expect(out).toContain(`${name.padEnd(22)}${title}`);
    },
    patienceMs,
  );

  it.each([
    [['--scenario', 'nope']],
    [['--bogus']],
    [['twins']],
    [['--port', 'x']],
    [['--port', '70000']],
  ])(
    '%j cannot be used: exit code 2, and why on standard error',
    async (args) => {
      const { code, out, err } = await start(args);
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err).toMatch(/^npm start: /);
    },
    patienceMs,
  );
});

describe('a promise that did not hold', () => {
  const kept = {
    refunds: [2000],
    addresses: [] as readonly string[],
    told: ['ok done'],
    ledger: ['refund_order ok'],
  };
  const scenario = { ...kept, name: 'one', title: 'One refund' };

  it('is found, each kind', () => {
    expect(broken(scenario, kept)).toEqual([]);
    expect(broken(scenario, { ...kept, refunds: [2000, 2000] })).toHaveLength(1);
    expect(broken(scenario, { ...kept, addresses: ['Rosenweg 1'] })).toHaveLength(1);
    expect(broken(scenario, { ...kept, told: ['failed tool_failed'] })).toHaveLength(1);
    expect(broken(scenario, { ...kept, ledger: ['refund_order unknown'] })).toHaveLength(1);
  });
});
