import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decode } from './decode.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-decode-'));
afterAll(() => rmSync(folder, { recursive: true }));
const tools = join(folder, 'tools.json');
writeFileSync(
  tools,
  JSON.stringify([{ name: 'ping', schema: { type: 'object', properties: {} } }]),
);

describe('forthright decode', () => {
  it('reads no further than its reader has taken', async () => {
    let pulled = 0;
    async function* stdin(): AsyncGenerator<Buffer> {
      for (; pulled < 3; pulled += 1) yield Buffer.from('{"name":"ping","arguments":"{}"}\n');
    }
    const taken: (() => void)[] = [];
    const out = (): Promise<void> => new Promise((resolve) => taken.push(resolve));
    const said = { options: { tools }, positionals: [] };
    const run = decode.run(said, { stdin: stdin(), out, err: () => {} });
    for (let line = 1; line <= 3; line += 1) {
      await new Promise(setImmediate);
      expect(taken).toHaveLength(line);
      expect(pulled).toBe(line - 1);
      taken.at(-1)?.();
    }
    expect(await run).toBe(0);
  });
});
