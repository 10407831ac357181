import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalize } from './canonicalize.ts';

async function run(input: string | Buffer, options: Record<string, string> = {}) {
  let out = '';
  const err: string[] = [];
  async function* stdin(): AsyncGenerator<Buffer> {
    yield Buffer.from(input);
  }
  const code = await canonicalize.run(
    { options, positionals: [] },
    {
      stdin: stdin(),
      out: async (text) => {
        out += text;
      },
      err: (line) => void err.push(line),
    },
  );
  return { code, out, err };
}

describe('forthright canonicalize', () => {
  it.each([
    ['"a\\u0062"', '"ab"'],
    ['[1e21, 1e-7]', '[1e+21,1e-7]'],
    ['null', 'null'],
    [' 0.0 ', '0'],
    ['"😀"', '"😀"'],
  ])('takes any value: %s', async (text, canonical) => {
    expect(await run(text)).toEqual({
      code: 0,
      out: canonical,
      err: [],
    });
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['nothing', '', /invalid_json: no text/],
    ['a key twice', '{"a":{"b":1,"\\u0062":2}}', /duplicate_key at \/a\/b/],
    ['a number that would change', '[9007199254740993]', /unsafe_number .*9007199254740993 at \/0/],
    ['such a number alone', '1e400', /^unsafe_number \(overflow\): 1e400$/],
    ['a forbidden key', '{"__proto__":1}', /forbidden_key at \/__proto__/],
    ['half a pair', '["\\ud800"]', /invalid_unicode at \/0/],
    ['half a pair alone', '"\\udc00"', /^invalid_unicode$/],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /invalid_unicode: .*UTF-8/],
    ['a byte order mark', '\ufeff{}', /invalid_json: a byte order mark/],
    ['a second value', '1 2', /invalid_json: other text after the value/],
    ['a second object', '{}{}', /invalid_json: a second object/],
    ['a list with text after it', '[1]]', /invalid_json: other text after the value/],
    ['a cut text', '[1', /invalid_json: the text ends/],
    ['what is too deep', `${'['.repeat(1001)}${']'.repeat(1001)}`, /arguments_too_deep/],
  ])('refuses %s and writes nothing', async (_what, input, message) => {
    const { code, out, err } = await run(input);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.join('\n')).toMatch(message);
  });
});

describe('forthright canonicalize, by its limits', () => {
  it('holds nesting to what is given', async () => {
    expect(await run('[[1]]', { 'max-depth': '2' })).toEqual({ code: 0, out: '[[1]]', err: [] });
    const { code, out, err } = await run('[[[1]]]', { 'max-depth': '2' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.join()).toMatch(/arguments_too_deep: more than 2 levels/);
  });

  it('stops reading at 256 MiB', async () => {
    const part = Buffer.alloc(64 * 1024 * 1024, ' ');
    let parts = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (; parts < 100; parts += 1) yield part;
    }
    const err: string[] = [];
    const streams = {
      stdin: endless(),
      out: async () => {},
      err: (line: string) => void err.push(line),
    };
    expect(await canonicalize.run({ options: {}, positionals: [] }, streams)).toBe(1);
    expect(parts).toBe(4);
    expect(err).toEqual([expect.stringMatching(/arguments_too_large/)]);
  });
});

const vectors = new URL('../../../shared/data/rfc8785/', import.meta.url);

describe.skipIf(!existsSync(vectors))(
  'forthright canonicalize, on the RFC 8785 vectors (needs ../shared/data/rfc8785)',
  () => {
    const names = existsSync(vectors) ? readdirSync(new URL('input/', vectors)) : [];

    it.each(names)('%s', async (name) => {
      const input = readFileSync(new URL(`input/${name}`, vectors));
      const output = readFileSync(new URL(`output/${name}`, vectors), 'utf8');
      expect(await run(input)).toEqual({ code: 0, out: output, err: [] });
    });
  },
);
