import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Defect } from '../call/tool-error.ts';
import { defaultLimits } from './limits.ts';
import { parseStrict } from './strict-json.ts';

// Property tests on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function defectsIn(text: unknown, limits = defaultLimits): readonly Defect[] {
  const step = parseStrict(text, limits);
  return step.ok ? [] : step.error;
}

function codesIn(text: unknown): readonly string[] {
  return defectsIn(text).map((defect) =>
    defect.code === 'invalid_json' || defect.code === 'unsafe_number'
      ? `${defect.code} ${defect.problem}`
      : defect.code,
  );
}

describe('one object, exactly', () => {
  it.each([
    ['{}', {}],
    [' \t\r\n{ "a" : [ 1 , true , null , "x" ] } \n', { a: [1, true, null, 'x'] }],
    ['{"":{"a/b":{"~":0}}}', { '': { 'a/b': { '~': 0 } } }],
    ['{"a":"\\u0061\\n\\ud83d\\ude00😀"}', { a: 'a\n😀😀' }],
    ['{"a":{"b":1},"b":{"a":1}}', { a: { b: 1 }, b: { a: 1 } }],
    ['{"constructor":1,"prototype":{"x":1}}', { constructor: 1, prototype: { x: 1 } }],
    ['{"constructor":{"name":1}}', { constructor: { name: 1 } }],
  ])('%s is accepted', (text, value) => {
    expect(parseStrict(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'blank'],
    [' \n\t ', 'blank'],
    ['{"a":12', 'truncated'],
    ['{"a":"b', 'truncated'],
    ['{"a":"b\\', 'truncated'],
    ['{"a":"\\u00', 'truncated'],
    ['{"a":1,', 'truncated'],
    ['{"a"', 'truncated'],
    ['{"a":tr', 'truncated'],
    ['{"a":-', 'truncated'],
    ['{"a":1.', 'truncated'],
    ['{"a":1e+', 'truncated'],
    ['{"a":[1,', 'truncated'],
    ['{"a":12  \n', 'truncated'],
    ['```json\n{"a":1}\n```', 'fenced'],
    ['{"a":1}\n```', 'fenced'],
    ['// the order\n{"a":1}', 'commented'],
    ['{"a":1 /* one */}', 'commented'],
    ['{"a":1, # one\n"b":2}', 'commented'],
    ['{"a":1}{"b":2}', 'concatenated'],
    ['{"a":1}\n{"a":1}', 'concatenated'],
    ['{"a":1},{"b":2}', 'concatenated'],
    ['{"a":1}{"b":', 'concatenated'],
    ['{"a":1} and more', 'trailing_text'],
    ['{"a":1}}', 'trailing_text'],
    ['{"a":1}{oops}', 'trailing_text'],
    ['[{"a":1}]', 'not_an_object'],
    ['"{\\"a\\":1}"', 'not_an_object'],
    ['4512', 'not_an_object'],
    ['null', 'not_an_object'],
    ["{'a':1}", 'syntax'],
    ['{a:1}', 'syntax'],
    ['{"a":True}', 'syntax'],
    ['{"a":1,}', 'syntax'],
    ['{"a":01}', 'syntax'],
    ['{"a":NaN}', 'syntax'],
    ['{"a":"line\nbreak"}', 'syntax'],
    ['{"a":"\\x41"}', 'syntax'],
    ['{"a" 1}', 'syntax'],
    ['\ufeff{"a":1}', 'syntax'],
    ['hello', 'syntax'],
  ])('%j is invalid_json, %s', (text, problem) => {
    expect(codesIn(text)).toEqual([`invalid_json ${problem}`]);
  });

  it.each([[undefined], [null], [12], [{ a: 1 }], [['{}']], [Symbol('x')], [new Date(0)]])(
    '%s is not text',
    (value) => {
      expect(codesIn(value)).toEqual(['invalid_json not_text']);
    },
  );

  it('says where, counting lines and columns from 1', () => {
    expect(defectsIn('{\r\n  "a": 1,\n  b: 2\n}')).toEqual([
      {
        code: 'invalid_json',
        problem: 'syntax',
        detail: 'b where a key in double quotes should stand',
        line: 3,
        column: 3,
      },
    ]);
  });
});

describe('twin keys', () => {
  it.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"\\u0061":1,"\\u0061":2}', '/a'],
    ['{"x":{"a/b":1,"y":[],"a/b":2}}', '/x/a~1b'],
    ['{"list":[0,{"k":1,"k":2}]}', '/list/1/k'],
    ['{"toString":1,"toString":2}', '/toString'],
  ])('%s is a duplicate_key', (text, path) => {
    expect(defectsIn(text)).toEqual([
      {
        code: 'duplicate_key',
        path,
        parameterName: path.slice(1).replaceAll('/', '.').replaceAll('~1', '/'),
      },
    ]);
  });

  it('tells the same key in different objects apart', () => {
    expect(parseStrict('{"a":{"a":1},"b":{"a":2}}').ok).toBe(true);
  });
});

describe('numbers that a double would change', () => {
  it.each([
    ['9007199254740993', 'too_large'],
    ['9007199254740992', 'too_large'],
    ['-9007199254740992', 'too_large'],
    ['9007199254740993.0', 'too_large'],
    ['9.007199254740993e15', 'too_large'],
    ['90071992547409930e-1', 'too_large'],
    ['12345678901234567890', 'too_large'],
    ['100000000000000000000', 'too_large'],
    ['1e400', 'overflow'],
    ['-1E400', 'overflow'],
    ['1E999999999999', 'overflow'],
    ['1e-400', 'underflow'],
    ['-1e-400', 'underflow'],
    ['3e-324', 'underflow'],
    [`0.${'0'.repeat(400)}1`, 'underflow'],
    ['4512.0000000000001', 'rounded'],
    ['0.99999999999999999999', 'rounded'],
    ['-1.00000000000000001', 'rounded'],
    ['9007199254740991.5', 'rounded'],
    ['45120000000000001e-13', 'rounded'],
  ])('%s is %s', (number, problem) => {
    expect(defectsIn(`{"n":[${number}]}`)).toEqual([
      { code: 'unsafe_number', path: '/n/0', parameterName: 'n.0', received: number, problem },
    ]);
  });

  it.each([
    ['0'],
    ['-0'],
    ['0e999'],
    ['0.0e-999'],
    ['1.0'],
    ['1e2'],
    ['4512.000'],
    ['1E22'],
    ['123.456e78'],
    ['5.972e+24'],
    ['1.7976931348623157e308'],
    ['5e-324'],
    ['2.2250738585072014e-308'],
    ['0.1'],
    ['0.30000000000000004'],
    ['3.14159265358979323846264338327950288'],
    ['123456789012345678e-3'],
    ['9007199254740991'],
    ['-9007199254740991'],
    ['9007199254740991.0'],
    ['9007199254740993e-1'],
  ])('%s is held', (number) => {
    expect(parseStrict(`{"n":${number}}`)).toEqual({ ok: true, value: { n: Number(number) } });
  });

  it('holds every double as JSON.stringify writes it, but integers past ±(2^53 − 1) in full digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const text = JSON.stringify(double);
        const isLongInteger = /^-?\d+$/.test(text) && !Number.isSafeInteger(double);
        expect(parseStrict(`{"n":${text}}`).ok).toBe(!isLongInteger);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the digits of an integer for what they say', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        const isSafe = BigInt(Number(integer)) === integer && Number.isSafeInteger(Number(integer));
        expect(parseStrict(`{"n":${integer}}`).ok).toBe(isSafe);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('keys that reach a prototype', () => {
  it.each([
    ['{"__proto__":{"orderId":1}}', '/__proto__'],
    ['{"a":[{"__proto__":1}]}', '/a/0/__proto__'],
    ['{"\\u005f_proto__":1}', '/__proto__'],
    ['{"constructor":{"prototype":{"isAdmin":true}}}', '/constructor'],
    ['{"a":{"constructor":{"x":1,"prototype":1}}}', '/a/constructor'],
    ['{"c\\u006fnstructor":{"prot\\u006ftype":1}}', '/constructor'],
  ])('%s is a forbidden_key', (text, path) => {
    expect(defectsIn(text)).toEqual([
      { code: 'forbidden_key', path, parameterName: path.slice(1).replaceAll('/', '.') },
    ]);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });

  it('leaves the words alone as values', () => {
    expect(parseStrict('{"a":"__proto__","b":["constructor","prototype"]}').ok).toBe(true);
  });
});

describe('half characters', () => {
  it.each([
    ['{"a":"\ud83d"}', '/a'],
    ['{"a":"x\ude00y"}', '/a'],
    ['{"a":"\\ud83d"}', '/a'],
    ['{"a":"\\ude00\\ud83d"}', '/a'],
    ['{"a":"\\ude00"}', '/a'],
    ['{"a":"\\uD83D\\u0041"}', '/a'],
    ['{"a":["\\ud83dx"]}', '/a/0'],
    ['{"\ud83d":1}', '/\ufffd'],
    ['{"\\ud83d":1}', '/\ufffd'],
  ])('%j is invalid_unicode', (text, path) => {
    expect(defectsIn(text)).toEqual([
      { code: 'invalid_unicode', path, parameterName: path.slice(1).replaceAll('/', '.') },
    ]);
  });

  it.each([['{"a":"😀"}'], ['{"a":"\\ud83d\\ude00"}'], ['{"a":"\\\\ud83d"}']])(
    '%j is whole',
    (text) => {
      expect(parseStrict(text).ok).toBe(true);
    },
  );
});

describe('limits', () => {
  const deep = (levels: number): string =>
    `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

  it('takes 64 levels and names the place of the 65th', () => {
    expect(parseStrict(deep(64)).ok).toBe(true);
    expect(defectsIn(deep(65))).toEqual([
      { code: 'arguments_too_deep', path: '/a'.repeat(64), limit: 64 },
    ]);
  });

  it('counts lists too, and takes another limit', () => {
    const limits = { ...defaultLimits, maxDepth: 2 };
    expect(parseStrict('{"a":[1]}', limits).ok).toBe(true);
    expect(defectsIn('{"a":[[1]]}', limits)).toEqual([
      { code: 'arguments_too_deep', path: '/a/0', limit: 2 },
    ]);
  });

  it('counts the length before it reads', () => {
    const text = `{"a":"${'x'.repeat(1_048_576)}`;
    expect(defectsIn(text)).toEqual([
      { code: 'arguments_too_large', length: text.length, limit: 1_048_576 },
    ]);
    expect(defectsIn('{"a":1}', { ...defaultLimits, maxLength: 6 })).toEqual([
      { code: 'arguments_too_large', length: 7, limit: 6 },
    ]);
  });

  it.each([
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 balanced brackets', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['200,000 braces with a key', '{"":'.repeat(200_000)],
  ])('%s neither throw nor overflow', (_, text) => {
    expect(codesIn(text)).toEqual(['arguments_too_deep']);
  });

  it('refuses 50 MB at once', () => {
    expect(codesIn(`{"a":"${'x'.repeat(50_000_000)}"}`)).toEqual(['arguments_too_large']);
  });
});

describe('several defects', () => {
  it('are told in the order of the text, up to where the text stops being JSON', () => {
    expect(codesIn('{"a":1e400,"a":9007199254740993,"__proto__":1,"s":"\\ud800","z":')).toEqual([
      'unsafe_number overflow',
      'duplicate_key',
      'unsafe_number too_large',
      'forbidden_key',
      'invalid_unicode',
      'invalid_json truncated',
    ]);
  });

  it('are told up to a bound', () => {
    expect(codesIn(`{"a":[${Array.from({ length: 500 }, () => '1e400').join()}]}`)).toHaveLength(
      20,
    );
  });
});

describe('whatever comes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(...'{}[]",:\\u0d8e1-.+ \n\ufeff\ud800tfn/*`#'),
      maxLength: 60,
    }),
    fc.json(),
  );

  it('is refused with a name or parsed as JSON.parse does', () => {
    fc.assert(
      fc.property(text, (given) => {
        const step = parseStrict(given);
        if (step.ok) expect(step.value).toStrictEqual(JSON.parse(given));
        else expect(step.error.length).toBeGreaterThan(0);
      }),
      { numRuns: 5000 },
    );
  });

  const members = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ depthSize: 'small' }),
  );
  const isHeld = (value: unknown): boolean =>
    !/"(?:__proto__|constructor)":/.test(JSON.stringify(value)) &&
    !/(?<![\d.e+-])-?\d{16,}(?![\d.e])/.test(
      JSON.stringify(value, (_, held) => (typeof held === 'string' ? '' : held)),
    );

  it('round-trips any JSON object', () => {
    fc.assert(
      fc.property(members.filter(isHeld), fc.nat(3), (object, indent) => {
        const written = JSON.stringify(object, null, indent);
        expect(parseStrict(written)).toStrictEqual({ ok: true, value: JSON.parse(written) });
      }),
      { numRuns: 1000 },
    );
  });

  it('is truncated, where it is the beginning of an object', () => {
    fc.assert(
      fc.property(members.filter(isHeld), fc.nat(), (object, cut) => {
        const written = JSON.stringify(object);
        const defects = defectsIn(written.slice(0, 1 + (cut % (written.length - 1))));
        expect(defects.at(-1)).toMatchObject({ code: 'invalid_json', problem: 'truncated' });
      }),
      { numRuns: 3000 },
    );
  });

  it('gets a named defect for each twin key that is put in', () => {
    fc.assert(
      fc.property(
        members.filter((object) => Object.keys(object).length > 0 && isHeld(object)),
        (object) => {
          const written = JSON.stringify(object);
          const [key] = Object.keys(object) as [string];
          const twin = `${written.slice(0, -1)},${JSON.stringify(key)}:0}`;
          expect(codesIn(twin)).toEqual(['duplicate_key']);
        },
      ),
    );
  });
});
