import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { ok } from '../call/result.ts';
import type { AnyTool, Toolset } from '../call/tool.ts';
import type { ToolError } from '../call/tool-error.ts';
import { decode } from './decode.ts';
import { tool } from './define-tool.ts';
import { parseStrict } from './strict-json.ts';
import { toolset } from './toolset.ts';

// Thousands of calls, on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const isThere = (name: string): boolean => existsSync(`${data}/${name}`);
const skipped = (name: string): string =>
  isThere(name) ? '' : ` (SKIPPED: no ../shared/data/${name})`;
const lines = <T>(name: string): readonly T[] =>
  isThere(name)
    ? readFileSync(`${data}/${name}`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
    : [];

describe.skipIf(!isThere('json-test-suite'))(`JSONTestSuite${skipped('json-test-suite')}`, () => {
  const names = isThere('json-test-suite')
    ? readdirSync(`${data}/json-test-suite`).filter((name) => name.endsWith('.json'))
    : [];
  const read = (name: string): string => readFileSync(`${data}/json-test-suite/${name}`, 'utf8');
  /** Valid JSON that says two things at once: refused here, and by name. */
  const refused: Readonly<Record<string, string>> = {
    'y_object_duplicated_key.json': 'duplicate_key',
    'y_object_duplicated_key_and_value.json': 'duplicate_key',
  };

  it('has its 318 files', () => {
    expect(names).toHaveLength(318);
  });

  it.each(names.filter((name) => name.startsWith('y_')))('%s', (name) => {
    const text = read(name);
    const isObject = text.trim().startsWith('{');
    const whole = isObject ? text : `{"v":${text}}`;
    const step = parseStrict(whole);
    if (refused[name] === undefined) {
      expect(step).toStrictEqual({ ok: true, value: JSON.parse(whole) });
    } else {
      expect(step.ok ? 'accepted' : step.error[0].code).toBe(refused[name]);
    }
  });

  it.each(names.filter((name) => name.startsWith('n_')))('%s', (name) => {
    const text = read(name);
    expect(parseStrict(text).ok).toBe(false);
    // A file that leaves something open could be closed by what is put around it.
    if (!name.startsWith('n_structure_')) expect(parseStrict(`{"v":${text}}`).ok).toBe(false);
  });

  it.each(names.filter((name) => name.startsWith('i_')))('%s', (name) => {
    for (const text of [read(name), `{"v":${read(name)}}`]) {
      const step = parseStrict(text);
      if (step.ok) expect(step.value).toStrictEqual(JSON.parse(text));
    }
  });
});

describe.skipIf(!isThere('malformed.jsonl'))(
  `texts that models sent${skipped('malformed.jsonl')}`,
  () => {
    it('are refused where JSON.parse refuses them, and never repaired', () => {
      for (const { input } of lines<{ input: string }>('malformed.jsonl')) {
        const step = parseStrict(input);
        const parsed = parsedOrUndefined(input);
        if (parsed === undefined)
          expect(step.ok ? input : step.error.at(-1)?.code).toBe('invalid_json');
        if (step.ok) expect(step.value).toStrictEqual(parsed);
      }
    });
  },
);

interface Entry {
  readonly id: string;
  readonly tools: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

interface Sample {
  readonly tool: AnyTool;
  readonly schema: JsonObject;
  readonly args: JsonObject;
}

/** Names with dots and the like are no tool names; the schemas are what is tried here. */
function defined(entry: Entry): ReadonlyMap<string, { tool: AnyTool; schema: JsonObject }> {
  return new Map(
    entry.tools.map(({ name, schema }, index) => [
      name,
      {
        schema,
        tool: tool({
          name: `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}_${index}`,
          description: name,
          input: schema,
          effect: 'read',
          run: () => ok('Done.'),
        }),
      },
    ]),
  );
}

/** The calls that fit their own schema. */
function fittingCalls(): readonly Sample[] {
  const samples: Sample[] = [];
  for (const entry of lines<Entry>('bfcl.jsonl')) {
    const tools = defined(entry);
    for (const call of entry.calls) {
      const found = tools.get(call.name);
      if (found === undefined) continue;
      if (found.tool.accept(call.arguments).ok) samples.push({ ...found, args: call.arguments });
    }
  }
  return samples;
}

describe.skipIf(!isThere('bfcl.jsonl'))(`real calls${skipped('bfcl.jsonl')}`, () => {
  const samples = fittingCalls();
  const errorOf = (sample: Sample, text: string): ToolError | undefined => {
    const step = decode(toolset([sample.tool]), { name: sample.tool.name, arguments: text });
    return step.ok ? undefined : step.error;
  };
  const members = (schema: JsonObject): JsonObject => (schema.properties ?? {}) as JsonObject;
  const required = (schema: JsonObject): readonly string[] => (schema.required ?? []) as string[];

  it('fit their schemas, nearly all of them', () => {
    const total = lines<Entry>('bfcl.jsonl').flatMap((entry) => entry.calls).length;
    expect(samples.length).toBeGreaterThan(total * 0.98);
  });

  it('decode to exactly their arguments', () => {
    for (const { tool: one, args } of samples) {
      const step = decode(toolset([one]), { name: one.name, arguments: JSON.stringify(args) });
      expect(step).toMatchObject({ ok: true, value: { name: one.name, ordinal: 1 } });
      if (step.ok) {
        expect(step.value.args).toStrictEqual(args);
        expect(step.value.input).toStrictEqual(args);
      }
    }
  });

  it('name the required argument that is left out', () => {
    for (const sample of samples) {
      for (const name of required(sample.schema)) {
        const { [name]: _, ...rest } = sample.args;
        expect(errorOf(sample, JSON.stringify(rest))?.defects).toMatchObject([
          { code: 'missing_argument', parameterName: name, path: `/${name}` },
        ]);
      }
    }
  });

  it('name the argument whose type is another', () => {
    for (const sample of samples) {
      for (const [name, value] of Object.entries(sample.args)) {
        for (const other of otherTypes(value, members(sample.schema)[name] as JsonObject)) {
          expect(errorOf(sample, JSON.stringify({ ...sample.args, [name]: other }))).toMatchObject({
            code: 'invalid_argument_shape',
            defects: [{ parameterName: name, path: `/${name}`, received: other }],
          });
        }
      }
    }
  });

  it('name the argument that is added', () => {
    for (const sample of samples) {
      const text = JSON.stringify({ ...sample.args, force: true });
      if (Object.hasOwn(members(sample.schema), 'force')) continue;
      expect(errorOf(sample, text)?.defects).toMatchObject([
        { code: 'unexpected_argument', parameterName: 'force', received: true },
      ]);
    }
  });

  it('name the key that is doubled', () => {
    for (const sample of samples) {
      const [first] = Object.keys(sample.args);
      if (first === undefined) continue;
      const text = JSON.stringify(sample.args);
      const doubled = `${text.slice(0, -1)},${JSON.stringify(first)}:${JSON.stringify(sample.args[first])}}`;
      expect(errorOf(sample, doubled)?.defects).toMatchObject([
        { code: 'duplicate_key', parameterName: first },
      ]);
    }
  });

  it('are truncated wherever they are cut', () => {
    for (const [index, sample] of samples.entries()) {
      const text = JSON.stringify(sample.args);
      const cuts = [1, text.length - 1, 1 + ((index * 7919) % (text.length - 1))];
      for (const cut of cuts) {
        expect(errorOf(sample, text.slice(0, cut))?.defects).toMatchObject([
          { code: 'invalid_json', problem: 'truncated' },
        ]);
      }
    }
  });
});

describe.skipIf(!isThere('trajectories.jsonl') || !isThere('tau_tools.json'))(
  `two service desks${skipped('trajectories.jsonl')}${skipped('tau_tools.json')}`,
  () => {
    interface Shown {
      readonly function: {
        readonly name: string;
        readonly description: string;
        readonly parameters: JsonObject;
      };
    }
    const desks = isThere('tau_tools.json')
      ? (JSON.parse(readFileSync(`${data}/tau_tools.json`, 'utf8')) as Record<
          string,
          readonly Shown[]
        >)
      : {};

    it('have tools that are defined without a warning, and calls that are decoded', () => {
      const sets = new Map<string, Toolset>(
        Object.entries(desks).map(([desk, shown]) => [
          desk,
          toolset(
            shown.map(({ function: { name, description, parameters } }) =>
              tool({
                name,
                description,
                input: parameters,
                effect: 'read',
                run: () => ok('Done.'),
              }),
            ),
          ),
        ]),
      );
      expect(
        [...sets.values()].flatMap((set) => set.tools.flatMap((each) => each.warnings)),
      ).toEqual([]);
      interface Conversation {
        readonly domain: string;
        readonly calls: readonly { readonly name: string; readonly arguments: string }[];
      }
      for (const { domain, calls } of lines<Conversation>('trajectories.jsonl')) {
        for (const call of calls) {
          const step = decode(sets.get(domain) ?? toolset([]), call);
          expect(step).toMatchObject({ ok: true, value: { args: JSON.parse(call.arguments) } });
        }
      }
    });
  },
);

function parsedOrUndefined(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Values of every type but those that the schema takes, the right value wrapped in a string among them. */
function otherTypes(value: JsonValue, schema: JsonObject): readonly JsonValue[] {
  const { type } = schema;
  if (typeof type !== 'string') return [];
  const byType: readonly (readonly [string, JsonValue])[] = [
    ['string', 'x'],
    ['number', 1.5],
    ['boolean', true],
    ['array', []],
    ['object', {}],
    ['null', null],
  ];
  const others = byType.filter(([other]) => other !== type).map(([, other]) => other);
  const wrapped = typeof value === 'string' ? [] : [JSON.stringify(value)];
  return [...others, ...wrapped];
}
