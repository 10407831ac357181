import { channel } from 'node:diagnostics_channel';
import { describe, expect, test } from 'vitest';
import { watchWire } from './wire.ts';

const url = new URL('http://api.example:8080/refunds?a=b#top');

/** A request as undici announces it. */
const request = (over: object = {}) => ({
  method: 'POST',
  origin: 'http://api.example:8080',
  path: '/refunds?a=b',
  abort: null,
  ...over,
});
const tell = (name: string, message: object): void => channel(name).publish(message);
const create = (one: object): void => tell('undici:request:create', { request: one });

describe('what a client tells of a request', () => {
  test('nothing seen is nothing known', () => {
    const wire = watchWire('POST', url);
    wire.run(() => undefined);
    expect(wire.written()).toBeUndefined();
    expect(wire.byItself(404)).toBeUndefined();
  });

  test('created and not written', () => {
    const wire = watchWire('post', url);
    wire.run(() => create(request()));
    expect(wire.written()).toBe(false);
  });

  test.each(['undici:client:sendHeaders', 'undici:request:bodySent', 'undici:request:headers'])(
    'written, by %s',
    (name) => {
      const wire = watchWire('POST', url);
      const one = request();
      wire.run(() => create(one));
      tell(name, { request: one });
      expect(wire.written()).toBe(true);
    },
  );

  test('one that can be called off may have been written, though nothing told', () => {
    const wire = watchWire('POST', url);
    wire.run(() => create(request({ abort: () => undefined })));
    expect(wire.written()).toBeUndefined();
  });

  test('one of two that was written counts', () => {
    const wire = watchWire('POST', url);
    const one = request();
    wire.run(() => {
      create(one);
      tell('undici:client:sendHeaders', { request: one });
      create(request());
    });
    expect(wire.written()).toBe(true);
    expect(wire.byItself(undefined)).toBe('sent_again');
  });

  test.each([
    ['another method', request({ method: 'CONNECT' })],
    ['another path', request({ path: '/token' })],
    ['another host', request({ origin: 'http://other.example' })],
    ['a GET of it', request({ method: 'GET' })],
  ])('%s is another request', (_name, other) => {
    const wire = watchWire('POST', url);
    wire.run(() => {
      create(other);
      tell('undici:client:sendHeaders', { request: other });
    });
    expect(wire.written()).toBeUndefined();
  });

  test('what a proxy is asked for by its whole URL is the same', () => {
    const wire = watchWire('POST', url);
    const path = 'http://api.example:8080/refunds?a=b';
    wire.run(() => create(request({ origin: 'http://proxy.example', path })));
    expect(wire.written()).toBe(false);
  });

  test('what is seen outside is not this exchange’s', () => {
    const wire = watchWire('POST', url);
    create(request());
    watchWire('POST', url).run(() => create(request()));
    expect(wire.written()).toBeUndefined();
  });

  test('an end that is not the one seen gives a retry away, or a redirect', () => {
    const ended = (seen: number, told: number | undefined) => {
      const wire = watchWire('POST', url);
      const one = request();
      wire.run(() => create(one));
      tell('undici:request:headers', { request: one, response: { statusCode: seen } });
      return wire.byItself(told);
    };
    expect(ended(404, 404)).toBeUndefined();
    expect(ended(503, 404)).toBe('sent_again');
    expect(ended(503, undefined)).toBe('sent_again');
    expect(ended(302, 200)).toBe('redirected');
    expect(ended(302, 302)).toBeUndefined();
  });

  test('an error before an answer gives a retry away', () => {
    const wire = watchWire('POST', url);
    const one = request();
    wire.run(() => create(one));
    tell('undici:request:error', { request: one });
    expect(wire.byItself(404)).toBe('sent_again');
    expect(wire.byItself(undefined)).toBeUndefined();
  });

  test('node:http tells how often it sent, not what it wrote', () => {
    const wire = watchWire('POST', url);
    const one = { method: 'POST', protocol: 'http:', host: 'api.example', path: '/refunds?a=b' };
    wire.run(() => tell('http.client.request.start', { request: one }));
    expect(wire.written()).toBeUndefined();
    expect(wire.byItself(404)).toBeUndefined();
    tell('http.client.response.finish', { request: one, response: { statusCode: 503 } });
    expect(wire.byItself(404)).toBe('sent_again');
  });
});
