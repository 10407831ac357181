import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { Folder, proxyArgs, RawClient, serverCommand } from './raw-client.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'forthright-proxy-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('forthright proxy', () => {
  it.each<[string[], RegExp]>([
    [[], /Give the server: -- COMMAND \[ARGUMENTS\], or --url URL/],
    [['--url', 'x', '--', 'y'], /Give the server/],
    [['--url', 'ftp://x'], /--url takes an address/],
    [['--url', 'http://x', '--header', 'secret'], /--header takes "Name: value"/],
    [['--header', 'a: b', '--', 'x'], /--header goes with --url/],
    [['--listen', '70000', '--', 'x'], /--listen takes a whole number from 0 to 65535/],
    [['--timeout', '0', '--', 'x'], /--timeout takes/],
    [['--config', join(folder, 'absent.json'), '--', 'x'], /Cannot read the configuration/],
    [['--ledger', join(file('plain', 'x'), 'ledger.db'), '--', 'x'], /cannot be made/],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['proxy', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
  });

  it('names what is wrong in a configuration, and where', async () => {
    const path = file('wrong.json', '{"tool":{},"tools":{"a":{"effect":"wirte","lane":7}}}');
    const { code, stderr } = await runCli(['proxy', '--config', path, '--', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path} cannot be used:`);
    expect(stderr).toContain('/tool is no setting. Leave it out, or name it tools.');
    expect(stderr).toContain('/tools/a/effect must be');
    expect(stderr).toContain('/tools/a/lane must be');
  });

  it('ends with exit code 1 where the server cannot be started', async () => {
    const ledger = join(folder, 'dead.db');
    const args = ['proxy', '--ledger', ledger, '--', join(folder, 'no-such-server')];
    const client = new RawClient([main, ...args]);
    expect(await client.ended()).toBe(1);
    expect(client.stderr).toContain('cannot be started');
    expect(client.said).toEqual([]);
  });

  it('keeps the ledger of each server in the state directory, readable by its user alone', async () => {
    const env = { ...process.env, XDG_STATE_HOME: folder };
    const counted = [new Folder(), new Folder()];
    for (const { path } of counted) {
      const client = new RawClient([main, 'proxy', '--', ...serverCommand(path)], env);
      await client.initialize();
      expect((await client.call('pay', '{"amount":1}')).outcome).toBe('ok');
      await client.leave();
      expect(client.stderr).toContain(`ledger: ${join(folder, 'forthright', 'proxy')}`);
    }
    const place = join(folder, 'forthright', 'proxy');
    const ledgers = readdirSync(place).filter((name) => name.endsWith('.db'));
    expect(ledgers).toHaveLength(2);
    for (const name of ledgers) expect(statSync(join(place, name)).mode & 0o077).toBe(0);
    for (const one of counted) one.remove();
  });

  it('says which rules are for no tool of the server', async () => {
    const counted = new Folder();
    const rules = { tools: { pai: {}, pay: { key: { only: ['amout'] } } } };
    const config = file('stray.json', JSON.stringify(rules));
    const client = new RawClient(proxyArgs(counted.path, '--config', config));
    await client.initialize();
    await client.call('look', '{}');
    await client.leave();
    expect(client.stderr).toContain('/tools/pai: the server has no tool pai; is pay meant?');
    expect(client.stderr).toContain('pay: its key names amout, which its schema does not have');
    counted.remove();
  });

  it('leaves when its client leaves, and takes the server with it', async () => {
    const counted = new Folder();
    const client = new RawClient(proxyArgs(counted.path));
    await client.initialize();
    expect(await client.leave()).toBe(0);
    expect(() => process.kill(counted.serverPid, 0)).toThrow(/ESRCH/);
    counted.remove();
  });
});
