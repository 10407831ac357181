import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failed, needsClarification, ok } from '../call/result.ts';
import { tool } from '../decode/define-tool.ts';
import { questionIn, withArgument } from './clarification.ts';

describe('withArgument', () => {
  test('sets one argument and leaves the others as they are written', () => {
    expect(withArgument('{}', 'a', 1)).toBe('{"a":1}');
    expect(withArgument(' { "b" : 1e1 } ', 'a', 'x')).toBe(' {"a":"x", "b" : 1e1 } ');
    expect(withArgument('{"a" : 2 , "b":3}', 'a', null)).toBe('{"a" : null , "b":3}');
    expect(withArgument('{"a":', 'a', 1)).toBe(undefined);
    expect(withArgument('{}', 'a', undefined)).toBe(undefined);
  });

  test('holds for any arguments', () => {
    const key = fc.string().filter((name) => name !== '__proto__');
    void fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), key, (args, name) => {
        const text = JSON.stringify(args);
        expect(JSON.parse(withArgument(text, name, 7) ?? '')).toEqual({
          ...JSON.parse(text),
          [name]: 7,
        });
      }),
    );
  });
});

describe('questionIn', () => {
  const ticket = tool({
    name: 'close_ticket',
    description: 'Closes a ticket.',
    effect: 'read',
    input: {
      type: 'object',
      properties: {
        ticketId: { type: 'integer', minimum: 1, multipleOf: 1, description: 'Its number.' },
        day: { type: 'string', format: 'date', pattern: '^2' },
        parts: { type: 'object', properties: {} },
      },
      required: [],
      additionalProperties: false,
    },
    run: async () => ok('Closed.'),
  });

  test('asks by the schema of the argument, as far as a form has it', () => {
    expect(questionIn(needsClarification('ticketId', 'Which?'), ticket)).toEqual({
      parameterName: 'ticketId',
      form: {
        message: 'Which?',
        requestedSchema: {
          type: 'object',
          properties: { ticketId: { type: 'integer', minimum: 1, description: 'Its number.' } },
          required: ['ticketId'],
        },
      },
    });
    const { form } = questionIn(needsClarification('day', 'When?'), ticket) ?? {};
    expect(form?.requestedSchema.properties).toEqual({ day: { type: 'string', format: 'date' } });
  });

  test('asks nothing where no form can ask it, or nothing is to be asked', () => {
    expect(questionIn(needsClarification('parts', 'Which?'), ticket)).toBe(undefined);
    expect(questionIn(needsClarification('other', 'Which?'), ticket)).toBe(undefined);
    expect(questionIn(needsClarification('ticketId', 'Which?'), undefined)).toBe(undefined);
    expect(questionIn(failed('blocked', 'No.'), ticket)).toBe(undefined);
    expect(questionIn(ok('Yes.'), ticket)).toBe(undefined);
  });
});
