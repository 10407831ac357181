import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../call/json.ts';
import { ownFetch } from './own-fetch.ts';

interface Sent {
  readonly url: string;
  readonly body: unknown;
}

/** A fetch that keeps what is sent, and the same fetch with each body and answer marked. */
function stage(answer: () => Response): { sent: Sent[]; own: typeof fetch } {
  const sent: Sent[] = [];
  const inner: typeof fetch = async (input, init) => {
    sent.push({ url: String(input), body: init?.body });
    return answer();
  };
  const mark = (value: JsonObject): JsonObject => ({ ...value, read: true });
  const own = ownFetch(inner, (path, asked) =>
    path === '/v1/ask'
      ? { body: mark(asked), whole: async (all) => mark(all), event: async (one) => [mark(one)] }
      : undefined,
  );
  return { sent, own };
}

const url = 'http://127.0.0.1/v1/ask?beta=true';
const post = { method: 'post', body: '{"a":1}' };

describe('ownFetch', () => {
  it('reads what is asked and what is answered', async () => {
    const { sent, own } = stage(() =>
      Response.json({ b: 1 }, { headers: { 'content-length': '7', 'x-request-id': 'r' } }),
    );
    const response = await own(url, post);
    expect(sent).toEqual([{ url, body: '{"a":1,"read":true}' }]);
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('x-request-id')).toBe('r');
    expect(await response.json()).toEqual({ b: 1, read: true });
  });

  it('reads events as they come', async () => {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    const { own } = stage(() => new Response('data: {"b":1}\n\n', { headers }));
    expect(await (await own(new URL(url), post)).text()).toBe('data: {"b":1,"read":true}\n\n');
  });

  it.each([
    ['another path', 'http://127.0.0.1/v1/files', post],
    ['another method', url, { ...post, method: 'get' }],
    ['no body', url, { method: 'post', body: null }],
    ['a body that is no JSON object', url, { ...post, body: '[1]' }],
    ['a body that is no JSON', url, { ...post, body: 'a=1' }],
  ])('leaves a request with %s alone', async (_, to, init) => {
    const { sent, own } = stage(() => Response.json({ b: 1 }));
    const response = await own(to, init);
    expect(sent).toEqual([{ url: to, body: init.body }]);
    expect(await response.json()).toEqual({ b: 1 });
  });

  it.each([
    ['an error', () => Response.json({ b: 1 }, { status: 500 }), '{"b":1}'],
    ['what is no JSON', () => new Response('<html>'), '<html>'],
    ['nothing', () => new Response(null, { status: 204 }), ''],
  ])('leaves an answer with %s as it is', async (_, answer, text) => {
    const { own } = stage(answer);
    expect(await (await own(url, post)).text()).toBe(text);
  });
});
