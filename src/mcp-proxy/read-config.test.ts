import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';

describe('readConfig', () => {
  it('takes everything that can be said', () => {
    const config = {
      $schema: './config.schema.json',
      scope: 'desk',
      timeoutMs: 1000,
      replayMs: 1000,
      reads: ['get_*'],
      errorMeans: 'nothing_changed',
      extraArguments: 'pass',
      checkWrite: true,
      tools: {
        pay: {
          effect: 'write',
          idempotent: false,
          key: { ignore: ['note'] },
          lane: 'account:{account}',
          keepLane: false,
          timeoutMs: 1,
          replayMs: 1,
          requestMaxMs: 1,
          marginMs: 1,
          errorMeans: 'unknown',
          extraArguments: 'refuse',
          repeat: { argument: 'again' },
          reconcile: {
            tool: 'look',
            arguments: { id: '{id}', deep: [{ x: 1 }] },
            happened: [{ at: '/json/0', equals: null }],
            didNotHappen: [{ at: '/text', contains: 'none' }],
          },
        },
        look: { effect: 'read', lane: 'account:{account}' },
      },
    };
    expect(readConfig(JSON.stringify(config))).toEqual({ ok: true, value: config });
  });

  it.each([
    ['{', /not one JSON object/],
    ['{"tools":{},"tools":{}}', /"tools" is given twice/],
    ['{"timeout":1}', /^\/timeout is no setting\. Leave it out, or name it timeoutMs\.$/],
    ['{"timeoutMs":"1"}', /^\/timeoutMs must be an integer.*; a string .*came\.$/],
    ['{"timeoutMs":0}', /^\/timeoutMs must be/],
    [
      '{"tools":{"a":{"effect":"wirte"}}}',
      /^\/tools\/a\/effect must be .*read.*write.* came\. Is "write" meant\?$/,
    ],
    ['{"tools":{"a":{"lanes":"x"}}}', /^\/tools\/a\/lanes is no setting\. .* name it lane\.$/],
    ['{"tools":{"a":{"reconcile":{"happened":[{"at":"/x","exists":true}]}}}}', /\/tool is missing/],
    ['{"tools":{"a":{"effect":"read","repeat":true}}}', /^\/tools\/a: repeat is for writes/],
    ['{"tools":{"a":{"reconcile":{"tool":"b"}}}}', /Give happened or didNotHappen/],
    [
      '{"tools":{"a":{"reconcile":{"tool":"b","happened":[{"at":"/x"}]}}}}',
      /one of equals, contains, exists/,
    ],
    [
      '{"tools":{"a":{"reconcile":{"tool":"b","happened":[{"at":"x","exists":true}]}}}}',
      /x is no JSON Pointer/,
    ],
  ])('refuses %s', (text, message) => {
    const read = readConfig(text);
    expect(read.ok ? [] : read.error).toEqual([expect.stringMatching(message)]);
  });
});
