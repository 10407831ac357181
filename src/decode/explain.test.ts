import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codes } from '../call/codes.ts';
import { type FailedResult, isResult, ok, renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { ToolError } from '../call/tool-error.ts';
import { decode } from './decode.ts';
import { tool } from './define-tool.ts';
import { explain } from './explain.ts';
import { toolset } from './toolset.ts';

const draftReply = tool({
  name: 'draft_reply',
  description: 'Drafts a reply to a ticket.',
  effect: 'write',
  input: z
    .object({
      ticketId: z.string().describe('a ticket ID such as TCK-1042'),
      tone: z.enum(['formal', 'friendly']),
      days: z.int().min(1).optional(),
      startDate: z.iso.date().optional(),
      endDate: z.iso.date().optional(),
      items: z.array(z.object({ sku: z.string() })).optional(),
    })
    .refine((args) => !args.startDate || !args.endDate || args.startDate <= args.endDate, {
      message: 'The end date must be on or after the start date.',
      path: ['endDate'],
    }),
  askUser: ['ticketId', 'items.sku'],
  run: () => ok('Drafted.'),
});
const tools = toolset([draftReply]);

function resultFor(
  text: string,
  name = 'draft_reply',
  known: AnyTool | undefined = draftReply,
): FailedResult {
  const step = decode(tools, { name, arguments: text });
  if (step.ok) throw new Error('decoded');
  return explain(step.error, known);
}

describe('a result of a call that was not decoded', () => {
  it('asks the user for what only the user can say', () => {
    expect(resultFor('{"tone":"formal"}')).toEqual({
      outcome: 'failed',
      code: 'missing_argument',
      summary: 'The argument "ticketId" of "draft_reply" is missing; expected a string.',
      nextActions: ['Ask the user: Which ticketId is meant? (a ticket ID such as TCK-1042)'],
      warnings: [],
      outputs: {
        toolName: 'draft_reply',
        path: '/ticketId',
        parameterName: 'ticketId',
        expectedShape: 'a string',
      },
      clarification: {
        question: 'Which ticketId is meant? (a ticket ID such as TCK-1042)',
        parameterName: 'ticketId',
      },
    });
  });

  it('lets the model repair what it can', () => {
    const result = resultFor('{"ticketId":"TCK-1"}');
    expect(result).toMatchObject({
      code: 'missing_argument',
      nextActions: ['Give "tone": one of "formal", "friendly".', 'Then call draft_reply again.'],
      outputs: { parameterName: 'tone' },
    });
    expect(result).not.toHaveProperty('clarification');
  });

  it('says what was expected and what came, and never asks the user for that', () => {
    const result = resultFor('{"ticketId":{"value":"soon"},"tone":"formal"}');
    expect(result).toMatchObject({
      code: 'invalid_argument_shape',
      summary: 'The argument "ticketId" must be a string; an object came.',
      outputs: {
        parameterName: 'ticketId',
        path: '/ticketId',
        expectedShape: 'a string',
        actualShape: 'an object',
        received: { value: 'soon' },
      },
    });
    expect(result).not.toHaveProperty('clarification');
  });

  it('lists the members of an enum, with the nearest', () => {
    expect(resultFor('{"ticketId":"TCK-1","tone":"Formall"}')).toMatchObject({
      summary:
        'The argument "tone" must be one of "formal", "friendly"; a string came ("Formall").',
      nextActions: [
        'Send "tone" as one of "formal", "friendly". The nearest allowed value is "formal".',
        'Then call draft_reply again.',
      ],
      outputs: { nearest: 'formal' },
    });
  });

  it('names null', () => {
    expect(resultFor('{"ticketId":null,"tone":"formal"}')).toMatchObject({
      code: 'invalid_argument_shape',
      outputs: { actualShape: 'null', received: null },
    });
  });

  it('keeps the message of a refinement', () => {
    const text = '{"ticketId":"T","tone":"formal","startDate":"2024-02-02","endDate":"2024-01-01"}';
    expect(resultFor(text)).toMatchObject({
      code: 'invalid_arguments',
      summary:
        'The argument "endDate" is not valid: The end date must be on or after the start date.',
      outputs: { parameterName: 'endDate' },
    });
  });

  it('tells several defects at once, each with what to do', () => {
    const result = resultFor('{"tone":1,"days":"0","force":true,"itens":[]}');
    expect(result.code).toBe('missing_argument');
    expect(result.summary).toMatch(/is missing; expected a string\. 4 more problems\.$/);
    expect(result.nextActions).toEqual([
      'Ask the user: Which ticketId is meant? (a ticket ID such as TCK-1042)',
      'Send "tone" as one of "formal", "friendly".',
      'Send "days" as an integer of at least 1. Send the JSON value itself, not a string that holds it.',
      'Leave out "force".',
      'Leave out "itens", or name it "items" if that is meant.',
    ]);
    expect(result.outputs.defects).toEqual([
      { code: 'missing_argument', parameterName: 'ticketId', expectedShape: 'a string' },
      {
        code: 'invalid_argument_shape',
        parameterName: 'tone',
        expectedShape: 'one of "formal", "friendly"',
        actualShape: 'an integer',
      },
      {
        code: 'invalid_argument_shape',
        parameterName: 'days',
        expectedShape: 'an integer of at least 1',
        actualShape: 'a string holding an integer',
      },
      { code: 'unexpected_argument', parameterName: 'force' },
      { code: 'unexpected_argument', parameterName: 'itens', nearest: 'items' },
    ]);
  });

  it('tells eight defects one by one, and how many there are', () => {
    const extra = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`zz${index}`, 1]));
    const result = resultFor(JSON.stringify({ ticketId: 'T', tone: 'formal', ...extra }));
    expect(result.summary).toMatch(/11 more problems\.$/);
    expect(result.outputs.defects).toHaveLength(8);
    expect(result.nextActions).toHaveLength(9);
  });

  it('lists the tools that there are', () => {
    const result = resultFor('{}', 'draftReply', undefined);
    expect(result).toMatchObject({
      code: 'unknown_tool',
      summary: 'There is no tool named "draftReply".',
      nextActions: ['Use draft_reply if that is meant, or another of these tools: draft_reply.'],
      outputs: { toolName: 'draftReply', allowed: ['draft_reply'], nearest: 'draft_reply' },
    });
    const none = decode(toolset([]), { name: 'x', arguments: '{}' });
    expect(!none.ok && explain(none.error, undefined).nextActions).toEqual([
      'Answer without a tool: none is available here.',
    ]);
  });

  it.each([
    ['{"ticketId":"TC', 'the text is cut off', /cut off before its end.*fewer or shorter/],
    ['', 'the text is blank', /\{\} if there are none/],
    ['```json\n{}\n```', 'a Markdown fence', /without a Markdown fence/],
    ['{} // none', 'a comment stands in it', /without comments/],
    ['{}{}', 'a second object follows', /one call for each/],
    ['{} ok?', 'other text follows', /nothing after it/],
    ['[]', 'it is a list', /with the arguments by name/],
    ["{'a':1}", 'line 1, column 2', /double quotes/],
    ['{"a":1,"a":2}', '"a" is given twice', /Give "a" once/],
    ['{"a":9007199254740993}', '9007199254740993', /exact number within ±9007199254740991/],
    ['{"__proto__":1}', '"__proto__" is not allowed', /Leave out "__proto__"/],
    ['{"a":"\\ud800"}', 'half a character', /whole characters/],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'more than 64 levels', /at most 64 levels/],
    [`{"a":"${'x'.repeat(1_048_576)}"}`, 'at most 1048576', /at most 1048576 characters/],
  ])('of %.30s says what is wrong and what to do', (text, said, todo) => {
    const result = resultFor(text);
    expect(result.summary).toContain(said);
    expect(result.nextActions.join(' ')).toMatch(todo);
  });

  it('is small, whatever came', () => {
    const long = 'x'.repeat(100_000);
    const deep = JSON.stringify({
      a: Array.from({ length: 5000 }, () => ({ b: long.slice(0, 20) })),
    });
    const errors: ToolError[] = [];
    for (const text of [
      JSON.stringify({ [long]: long, ticketId: long, tone: long }),
      JSON.stringify({ ticketId: JSON.parse(deep), tone: JSON.parse(deep) }),
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, deep.slice(0, 500)])),
      ),
      `{"${long}":1e400,"${long}":2,`,
      `{"n":1${'0'.repeat(100_000)}}`,
      `${long}`,
    ]) {
      const step = decode(tools, { name: 'draft_reply', arguments: text });
      if (!step.ok) errors.push(step.error);
    }
    const step = decode(tools, { name: long, arguments: '{}' });
    if (!step.ok) errors.push(step.error);
    expect(errors).toHaveLength(7);
    for (const error of errors) {
      const result = explain(error, draftReply);
      expect(isResult(result)).toBe(true);
      expect(renderResult(result).length).toBeLessThan(6000);
      expect(JSON.parse(renderResult(result))).toBeTruthy();
    }
  });

  it('leaks nothing of what a schema threw', async () => {
    const leaky = tool({
      name: 'leaky',
      description: '',
      effect: 'read',
      input: z.object({}).refine(() => {
        throw new Error('postgres://admin:hunter2@db/orders');
      }),
      run: () => ok('Done.'),
    });
    const causes: unknown[] = [];
    const step = decode(
      toolset([leaky]),
      { name: 'leaky', arguments: '{}' },
      { onError: (cause) => causes.push(cause) },
    );
    expect(step.ok).toBe(false);
    if (step.ok) return;
    expect(JSON.stringify([step.error, explain(step.error, leaky)])).not.toMatch(
      /hunter2|postgres/,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(String(causes[0])).toContain('hunter2');
  });

  it('has a code of the table of codes, with the outcome failed', () => {
    for (const text of ['{}', '', '{"a":1,"a":1}', '{"ticketId":1,"tone":"formal"}']) {
      const { code } = resultFor(text);
      expect(codes[code as keyof typeof codes].outcome).toBe('failed');
    }
  });
});
