import type { OutcomeName } from '../../call/codes.ts';
import type { JsonValue } from '../../call/json.ts';
import type { ScriptedAnswer } from './harness.ts';

/** What a model sends, and what must come of it. */
export interface AdapterCase {
  readonly name: string;
  readonly answers: readonly ScriptedAnswer[];
  /** The codes that the model is told, in any order; left out where the user has left. */
  readonly codes?: readonly string[];
  /** The same where a framework starts the calls of a step one after the other. */
  readonly laterCodes?: readonly string[];
  /** What the tools run with. */
  readonly ranWith: readonly JsonValue[];
  readonly effects: number;
  /** What the record says of the write at the end. */
  readonly record?: readonly (OutcomeName | 'dispatched')[];
  /** What the user must not be shown. */
  readonly hidden?: string;
}

const done: ScriptedAnswer = { text: 'That is all.' };

function call(name: string, text: string, id = 'call_1'): ScriptedAnswer {
  return { calls: [{ id, name, arguments: text }] };
}

function refused(name: string, text: string, code: string, tool = 'get_order'): AdapterCase {
  return { name, answers: [call(tool, text), done], codes: [code], ranWith: [], effects: 0 };
}

const order = '{"orderId":4512}';
const four = { orderId: 4512 };

/** The cases, in the order of the table. */
export const adapterCaseTable: readonly AdapterCase[] = [
  {
    name: 'a valid call',
    answers: [call('get_order', order), done],
    codes: ['done'],
    ranWith: [four],
    effects: 0,
  },
  refused('a missing argument', '{}', 'missing_argument'),
  refused('text for a number', '{"orderId":"ABC-12"}', 'invalid_argument_shape'),
  refused('truncated text', '{"orderId":45', 'invalid_json'),
  refused('an unknown tool', order, 'unknown_tool', 'delete_order'),
  {
    name: 'an unknown tool beside a valid call',
    answers: [
      {
        calls: [
          { id: 'call_1', name: 'delete_order', arguments: order },
          { id: 'call_2', name: 'get_order', arguments: order },
        ],
      },
      done,
    ],
    codes: ['unknown_tool', 'done'],
    ranWith: [four],
    effects: 0,
  },
  {
    name: 'text cut off at the length limit',
    answers: [{ ...call('refund_order', '{"orderId":45'), isCut: true }, done],
    codes: ['invalid_json'],
    ranWith: [],
    effects: 0,
  },
  refused('9007199254740993', '{"orderId":9007199254740993}', 'unsafe_number'),
  refused('duplicate keys', '{"orderId":1,"orderId":2}', 'duplicate_key'),
  refused('null, coerced', '{"orderId":null}', 'invalid_argument_shape', 'coerced_order'),
  refused('an extra argument', '{"orderId":1,"force":true}', 'unexpected_argument'),
  refused('__proto__', '{"orderId":1,"__proto__":{"admin":true}}', 'forbidden_key'),
  {
    name: 'a tool that throws a secret',
    answers: [call('broken_order', order), done],
    codes: ['tool_failed'],
    ranWith: [four],
    effects: 0,
    hidden: 'hunter2',
  },
  {
    name: 'a BigInt in the result of a write',
    answers: [call('big_order', order), done],
    codes: ['done'],
    ranWith: [four],
    effects: 1,
    record: ['ok'],
  },
  {
    name: 'the same write twice in one step',
    answers: [
      {
        calls: [
          { id: 'call_1', name: 'refund_order', arguments: order },
          { id: 'call_2', name: 'refund_order', arguments: order },
        ],
      },
      done,
    ],
    codes: ['done', 'already_in_progress'],
    laterCodes: ['done', 'already_done'],
    ranWith: [four],
    effects: 1,
    record: ['ok'],
  },
  {
    name: 'the same call id twice in one step, with other arguments',
    answers: [
      {
        calls: [
          { id: 'call_1', name: 'get_order', arguments: order },
          { id: 'call_1', name: 'get_order', arguments: '{"orderId":4513}' },
        ],
      },
      done,
    ],
    codes: ['done', 'done'],
    ranWith: [four, { orderId: 4513 }],
    effects: 0,
  },
  {
    name: 'the same write again in the next step',
    answers: [call('refund_order', order), call('refund_order', order, 'call_2'), done],
    codes: ['done', 'already_done'],
    ranWith: [four],
    effects: 1,
    record: ['ok'],
  },
  {
    name: 'a timeout before dispatch',
    answers: [call('slow_before', order), done],
    codes: ['timeout_before_send'],
    ranWith: [four],
    effects: 0,
    record: ['failed'],
  },
  {
    name: 'a timeout after dispatch',
    answers: [call('slow_after', order), done],
    codes: ['sent_no_answer'],
    ranWith: [four],
    effects: 1,
  },
  {
    name: 'the user leaves before dispatch',
    answers: [call('left_before', order), done],
    ranWith: [four],
    effects: 0,
    record: ['failed'],
  },
  {
    name: 'the user leaves after dispatch',
    answers: [call('left_after', order), done],
    ranWith: [four],
    effects: 1,
    record: ['ok'],
  },
  {
    name: 'a reply that claims too much',
    answers: [{ text: 'I have refunded order 4512.' }],
    codes: [],
    ranWith: [],
    effects: 0,
    hidden: 'I have refunded order 4512.',
  },
];
