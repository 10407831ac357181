import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from './command.ts';
import { readTools } from './tools-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'tools.json');
function readFrom(value: unknown): ReturnType<typeof readTools> {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return readTools(path);
}

const schema = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
};
const name = 'get_order';
const description = 'Get an order.';

describe('readTools', () => {
  it.each<[string, unknown]>([
    [
      'MCP',
      { tools: [{ name, description, inputSchema: schema, annotations: { readOnlyHint: true } }] },
    ],
    ['MCP, the bare list', [{ name, description, inputSchema: schema }]],
    ['OpenAI chat', [{ type: 'function', function: { name, description, parameters: schema } }]],
    [
      'OpenAI responses',
      [{ type: 'function', name, description, parameters: schema, strict: true }],
    ],
    ['Anthropic', { tools: [{ name, description, input_schema: schema }] }],
    ['a name and a schema', [{ name, schema }]],
  ])('takes the list of %s', (_from, list) => {
    const tools = readFrom(list);
    expect(tools.names).toEqual([name]);
    const found = tools.find(name);
    expect(found?.accept({ id: 1 }).ok).toBe(true);
    expect(found?.accept({ id: '1' }).ok).toBe(false);
    expect(found?.accept({}).ok).toBe(false);
  });

  it('takes an OpenAI function without parameters for one without arguments', () => {
    const tools = readFrom([{ type: 'function', function: { name: 'ping' } }]);
    expect(tools.find('ping')?.accept({}).ok).toBe(true);
    expect(tools.find('ping')?.accept({ a: 1 }).ok).toBe(false);
  });

  it.each<[string, unknown, RegExp]>([
    ['text that is no JSON', '{', /Cannot read tools from/],
    ['no list', { tool: [] }, /no list of tools/],
    ['null', null, /no list of tools/],
    ['a tool that is no object', [schema, 'x'], /tool 1 has no name/],
    ['a string for a tool', ['x'], /tool 1 is not an object/],
    ['a tool without a schema', [{ name }], /"get_order" has no schema/],
    ['a schema that is no object', [{ name, schema: true }], /"get_order" has no schema/],
    [
      'a name that no provider takes',
      [{ name: 'get.order', schema }],
      /"get\.order".*letters, digits/,
    ],
    ['a name that is too long', [{ name: 'x'.repeat(65), schema }], /letters, digits/],
    [
      'two tools of one name',
      [
        { name, schema },
        { name, schema },
      ],
      /two tools are named "get_order"/,
    ],
    [
      'a keyword that nobody would enforce',
      [{ name, schema: { type: 'object', properties: { a: { $recursiveRef: '#' } } } }],
      /tool "get_order": .*\$recursiveRef/,
    ],
  ])('refuses %s', (_what, list, message) => {
    expect(() => readFrom(list)).toThrow(UsageError);
    expect(() => readFrom(list)).toThrow(message);
  });

  it('refuses a file that is not there', () => {
    expect(() => readTools(join(folder, 'none.json'))).toThrow(UsageError);
  });
});
