import { Ajv } from 'ajv';
import { decode, tool, toolset } from 'forthright';
import { parse as losslessParse } from 'lossless-json';
import secureJson from 'secure-json-parse';
import { z } from 'zod';
import { defaultLimits, parseStrict } from '../internals.ts';
import { type Effort, interleaved, type Subject } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';

const line = z.strictObject({
  sku: z.string(),
  title: z.string(),
  quantity: z.int().positive(),
  priceCents: z.int().nonnegative(),
  gift: z.boolean(),
  note: z.string().nullable(),
});
const order = z.strictObject({ orderId: z.int(), lines: z.array(line) });
const small = z.strictObject({ orderId: z.int(), amountCents: z.int() });

function orderText(lines: number): string {
  return JSON.stringify({
    orderId: 4512,
    lines: Array.from({ length: lines }, (_, at) => ({
      sku: `SKU-${10_000 + at}`,
      title: `A thing for the house, number ${at}, with "quotes" in it`,
      quantity: 1 + (at % 7),
      priceCents: 1999 + at,
      gift: at % 2 === 0,
      note: at % 3 === 0 ? null : 'Please leave it at the door – danke!',
    })),
  });
}

interface Size {
  readonly name: string;
  readonly text: string;
  readonly schema: z.ZodType;
  readonly mostParse: number;
}

const sizes: readonly Size[] = [
  { name: '40 B', text: '{"orderId":45120001,"amountCents":200099}', schema: small, mostParse: 2 },
  { name: '2 kB', text: orderText(12), schema: order, mostParse: 1.9 },
  { name: '200 kB', text: orderText(1200), schema: order, mostParse: 1.9 },
];

/** A subject that does one thing over and over. */
export function repeating(name: string, work: () => unknown): Subject {
  return {
    name,
    run(count) {
      for (let done = 0; done < count; done += 1) work();
    },
  };
}

function subjectsFor(size: Size, text: string): readonly Subject[] {
  const get = tool({
    name: 'get',
    description: 'Gets.',
    effect: 'read',
    input: size.schema as never,
    run: () => ({}) as never,
  });
  const tools = toolset([get]);
  const validate = new Ajv({ strict: false }).compile(
    z.toJSONSchema(size.schema, { target: 'draft-7' }) as object,
  );
  const call = { name: 'get', arguments: text };
  return [
    repeating('JSON.parse', () => JSON.parse(text)),
    repeating('strict scan and parse', () => parseStrict(text, defaultLimits)),
    repeating('forthright decode', () => decode(tools, call)),
    repeating('JSON.parse + zod strict', () => size.schema.safeParse(JSON.parse(text))),
    repeating('secure-json-parse + ajv', () => validate(secureJson.parse(text))),
    repeating('lossless-json + ajv', () => validate(losslessParse(text, null, Number))),
  ];
}

/** Valid arguments. */
export const decodeValid: Row = {
  name: 'decode',
  work: 'decode of valid arguments against a schema',
  async measure(effort: Effort): Promise<Measured> {
    const timings: Record<string, Awaited<ReturnType<typeof interleaved>>> = {};
    const findings: Finding[] = [];
    for (const size of sizes) {
      const at = await interleaved(subjectsFor(size, size.text), effort);
      timings[size.name] = at;
      const work = `decode, ${size.name}`;
      const beside = (ours: string, other: string, most: number): Finding =>
        atMost(at, { work, ours, beside: other, most });
      findings.push(
        beside('strict scan and parse', 'JSON.parse', size.mostParse),
        beside('forthright decode', 'lossless-json + ajv', 1),
        beside('forthright decode', 'JSON.parse + zod strict', 2),
      );
    }
    return { timings, findings };
  },
};

const fiveDefects =
  '{"orderId":"4512","amountCents":-1.5,"extra":true,"reason":[null],"currency":"XYZ"}';
const refund = z.strictObject({
  orderId: z.int(),
  amountCents: z.int().positive(),
  reason: z.string(),
  currency: z.enum(['EUR', 'USD']),
});
const whole = '{"orderId":4512,"amountCents":2000,"reason":"late","currency":"EUR"}';

const broken: Readonly<Record<string, readonly [z.ZodType, string]>> = {
  truncated: [refund, whole.slice(0, 40)],
  'wrong type': [refund, whole.replace('4512', '"ABC-12"')],
  'five defects': [refund, fiveDefects],
  'truncated, 2 kB': [order, orderText(12).slice(0, 2000)],
  'truncated, 200 kB': [order, orderText(1200).slice(0, 200_000)],
};

/** The same as most programs do it, whatever the text. */
function safely(schema: z.ZodType, text: string): unknown {
  try {
    return schema.safeParse(JSON.parse(text));
  } catch (error) {
    return error;
  }
}

/** Broken text. */
export const decodeBroken: Row = {
  name: 'decode-broken',
  work: 'decode of broken text',
  async measure(effort: Effort): Promise<Measured> {
    const timings: Record<string, Awaited<ReturnType<typeof interleaved>>> = {};
    const findings: Finding[] = [];
    for (const [name, [schema, text]] of Object.entries(broken)) {
      const size = { name, text, schema, mostParse: 0 };
      const ours = subjectsFor(size, text).filter((one) => one.name === 'forthright decode');
      const theirs = repeating('JSON.parse + zod safeParse', () => safely(schema, text));
      const at = await interleaved([theirs, ...ours], effort);
      timings[name] = at;
      const work = `decode of broken text, ${name}`;
      const beside = 'JSON.parse + zod safeParse';
      findings.push(atMost(at, { work, ours: 'forthright decode', beside, most: 1 }));
    }
    return { timings, findings };
  },
};
