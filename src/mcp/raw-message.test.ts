import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBody, readLine, readMessage } from './raw-message.ts';

function call(text: string, id = '7'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"refund","arguments":${text}}}`;
}

/** The text of the call's arguments, and whether it may run. */
function callOf(text: string): unknown {
  const read = readMessage(text);
  return read.kind === 'request' ? read.call : read;
}

/** A JSON text of a value, with blanks and escapes where JSON allows them. */
function writings(value: fc.JsonValue): fc.Arbitrary<string> {
  return fc
    .infiniteStream(fc.constantFrom('', '', ' ', '\t', '\r\n '))
    .map((blanks) => write(value, () => blanks.next().value));
}

function write(value: fc.JsonValue, blank: () => string): string {
  const pad = (text: string): string => blank() + text + blank();
  if (typeof value === 'string')
    return pad(JSON.stringify(value).replace(/[aeu]/g, escaped(value)));
  if (typeof value !== 'object' || value === null) return pad(JSON.stringify(value));
  if (Array.isArray(value)) return pad(`[${value.map((each) => write(each, blank)).join(',')}]`);
  const members = Object.entries(value).map(([key, held]) => {
    const name = JSON.stringify(key);
    return `${pad(name)}:${write(held as fc.JsonValue, blank)}`;
  });
  return pad(`{${members.join(',')}}`);
}

/** A letter as an escape in some texts, where no backslash could make it another one. */
function escaped(value: string): (letter: string) => string {
  const isPlain = /^[a-z0-9 ]*$/i.test(value);
  return (letter) =>
    isPlain ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter;
}

describe('readMessage', () => {
  test('slices the arguments exactly as they are written, wherever they stand', () => {
    const writing = fc.jsonValue().chain(writings);
    const key = fc.constantFrom('"arguments"', '"\\u0061rguments"', ' "arguments" ');
    void fc.assert(
      fc.property(writing, writing, key, fc.boolean(), (args, meta, name, isFirst) => {
        const own = `${name}:${args}`;
        const rest = `"name":"refund","_meta":${meta}`;
        const params = isFirst ? `{${own},${rest}}` : `{${rest},${own}}`;
        const text = `{"params":${params},"method":"tools\\/call","jsonrpc":"2.0","id":"a"}`;
        expect(callOf(text)).toEqual({ name: 'refund', text: args.trim(), isBroken: false });
      }),
    );
  });

  test.each([
    '{"orderId":9007199254740993}',
    '{"orderId":1,"orderId":2}',
    '{"orderId":1,"__proto__":{"admin":true}}',
    '{"a":"\\ud800"}',
    '[1]',
    '"{}"',
    '{"a":tru}',
    '{"a":[}]',
  ])('leaves %s to decode, as it is', (text) => {
    expect(callOf(call(text))).toEqual({ name: 'refund', text, isBroken: false });
  });

  test('never calls what is no JSON a call that may run, wherever it is cut or a character is lost', () => {
    const whole = call('{"orderId":4512,"note":"a \\"b\\" {c}"}', '"x"');
    for (let at = 0; at < whole.length; at++) {
      for (const text of [whole.slice(0, at), whole.slice(0, at) + whole.slice(at + 1)]) {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const read = readMessage(text);
        if (isJson) continue;
        // Where only the arguments are broken, their text is, and decode refuses it.
        if (read.kind === 'request') {
          const { call: found } = read;
          expect(found?.isBroken === true || !parses(found?.text ?? '')).toBe(true);
        } else expect(read.kind).toBe('malformed');
      }
    }
  });

  test('never throws, and answers with one JSON text', () => {
    const junk = fc.stringMatching(/^[{}[\]",:\\a-z0-9 \-.]*$/);
    void fc.assert(
      fc.property(
        fc.oneof(
          junk,
          fc.string(),
          junk.map((each) => call(each)),
        ),
        (text) => {
          const read = readMessage(text);
          if (read.kind === 'malformed') {
            expect(JSON.parse(read.answer)).toMatchObject({ jsonrpc: '2.0', error: {} });
          }
        },
      ),
    );
  });

  test('a call that was cut off in its arguments is told as one', () => {
    expect(callOf(call('{"orderId":45').slice(0, -2))).toEqual({
      name: 'refund',
      text: '{"orderId":45',
      isBroken: true,
    });
    // Complete arguments in a message that is not: they must not run.
    expect(callOf(call('{"orderId":45}').slice(0, -2))).toEqual({
      name: 'refund',
      text: '{"orderId":45}',
      isBroken: true,
    });
  });

  test('of a call that was cut off it keeps what tells of the client', () => {
    const text = call('{"a":').replace('"name"', '"_meta":{"progressToken":1},"name"');
    expect(readMessage(text)).toMatchObject({
      call: { isBroken: true },
      message: { id: 7, params: { name: 'refund', _meta: { progressToken: 1 } } },
    });
  });

  test('a call without arguments has none', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund"}}';
    expect(callOf(text)).toEqual({ name: 'refund', text: '{}', isBroken: false });
  });

  test.each([
    ['{', -32700, null],
    ['', -32700, null],
    ['[]', -32600, null],
    ['{"jsonrpc":"2.0","id":3,"method":"ping"', -32700, 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","id":4}', -32600, null],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","method":"pong"}', -32600, 3],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, 1.5],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600, 1],
    ['{"jsonrpc":"2.0","id":1}', -32600, null],
    // A response's id counts the other way: it must not end a request of the client's.
    ['{"jsonrpc":"2.0","id":1,"result":{', -32700, null],
    [call('{}').replace('"name"', '"name":"other","name"'), -32600, 7],
    [call('{}').replace('}}', '},"arguments":{"orderId":2}}'), -32600, 7],
    [call('{}').replace('"name"', '"__proto__":{},"name"'), -32600, 7],
  ])('answers %s', (text, code, id) => {
    const read = readMessage(text);
    expect(read).toMatchObject({ kind: 'malformed', code });
    expect(JSON.parse(read.kind === 'malformed' ? read.answer : '')).toMatchObject({
      id,
      error: { code },
    });
  });

  test('answers an id that no double can hold by its own digits', () => {
    const read = readMessage('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    expect(read.kind === 'malformed' && read.answer).toContain('"id":9007199254740993,');
  });

  test('tells requests, notifications and responses apart', () => {
    expect(readMessage('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({
      kind: 'request',
      id: 1,
      method: 'ping',
    });
    expect(readMessage('{"jsonrpc":"2.0","method":"notifications/initialized"}').kind).toBe(
      'notification',
    );
    const answer = '{"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{ "a":1e1 }}}';
    expect(readMessage(answer)).toMatchObject({
      kind: 'response',
      id: 0,
      contentText: '{ "a":1e1 }',
    });
    const sampled = '{"jsonrpc":"2.0","id":0,"result":{"content":{"type":"text"}}}';
    expect(readMessage(sampled)).not.toHaveProperty('contentText');
    expect(readMessage('{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":""}}').kind).toBe(
      'response',
    );
  });
});

describe('readLine', () => {
  test('answers what is too large or no UTF-8, by its id where its beginning has one', () => {
    const text = '{"jsonrpc":"2.0","method":"ping","id":5,"params":{"a":"';
    expect(readLine({ text, problem: 'too_large' })).toMatchObject({ code: -32600 });
    const read = readLine({ text, problem: 'not_utf8' });
    expect(JSON.parse(read.kind === 'malformed' ? read.answer : '')).toMatchObject({
      id: 5,
      error: { code: -32700 },
    });
  });
});

describe('readBody', () => {
  test('reads one message or a list', () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(readBody({ text: ping })).toMatchObject({ isBatch: false, messages: [{ id: 1 }] });
    expect(readBody({ text: `[${call('{ }')} , ${ping}]` })).toMatchObject({
      isBatch: true,
      messages: [{ call: { text: '{ }' } }, { method: 'ping' }],
    });
    expect(readBody({ text: '[]' }).messages).toMatchObject([{ code: -32600 }]);
    expect(readBody({ text: `[${ping},` }).messages).toMatchObject([{ code: -32700 }]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
