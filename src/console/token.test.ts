import { describe, expect, test } from 'vitest';
import { oneTimeToken } from './token.ts';

const url = 'http://127.0.0.1:4000/';
const at = (path: string, headers: Record<string, string> = {}) =>
  new Request(`${url}${path}`, { headers });

describe('a one-time token', () => {
  const open = () => {
    const door = oneTimeToken();
    return { ...door, handle: door.around(async () => new Response('the page')) };
  };

  test('is exchanged for a cookie that no script and no other site can use', async () => {
    const { token, auth, handle } = open();
    const answer = await handle(at(`?token=${token}`));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(cookie).not.toContain(token);
    expect(await auth(at('', { cookie: `a=b; ${cookie.split(';')[0]}` }))).toBe(true);
  });

  test('opens one session, once', async () => {
    const { token, handle } = open();
    await handle(at(`?token=${token}`));
    const second = await handle(at(`?token=${token}`));
    expect([second.status, second.headers.get('set-cookie')]).toEqual([303, null]);
  });

  test('nothing else opens one, and trying does not use it up', async () => {
    const { token, auth, handle } = open();
    for (const wrong of ['', 'x', token.slice(1), `${token}x`]) {
      expect((await handle(at(`?token=${wrong}`))).headers.get('set-cookie')).toBeNull();
    }
    expect(await auth(at(''))).toBe(false);
    expect(await auth(at('', { cookie: `forthright_console_00000000=${token}` }))).toBe(false);
    expect((await handle(at(`?token=${token}`))).headers.get('set-cookie')).not.toBeNull();
  });

  test('another console has another one', () => {
    expect(oneTimeToken().token).not.toBe(oneTimeToken().token);
  });
});
