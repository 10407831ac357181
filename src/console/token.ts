import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { safeHeaders } from './guard.ts';
import type { Authenticate, ConsoleHandler } from './options.ts';

/** Lets in whoever comes with the token of a printed address, once; from then on by a cookie. */
export interface OneTimeToken {
  readonly token: string;
  readonly auth: Authenticate;
  /** Exchanges the token of an address for the cookie, before the console's own handler is asked. */
  around(handler: ConsoleHandler): ConsoleHandler;
}

/** A token that opens one session; it ends with this process. */
export function oneTimeToken(): OneTimeToken {
  const token = randomBytes(24).toString('base64url');
  // Cookies know no ports: a second console on this machine needs a name of its own.
  const cookieName = `forthright_console_${randomBytes(4).toString('hex')}`;
  const session = randomBytes(32).toString('base64url');
  let isUsed = false;
  return {
    token,
    auth: (request) => sameText(cookieOf(request, cookieName), session),
    around: (handler) => async (request) => {
      const url = new URL(request.url);
      const given = url.searchParams.get('token');
      if (given === null || request.method !== 'GET') return handler(request);
      if (isUsed || !sameText(given, token)) return movedTo(url, {});
      isUsed = true;
      const cookie = `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`;
      return movedTo(url, { 'set-cookie': cookie });
    },
  };
}

/** The same address without the token, which is not to stay in the browser's history. */
function movedTo(url: URL, headers: Readonly<Record<string, string>>): Response {
  return new Response(null, {
    status: 303,
    headers: { ...safeHeaders, 'cache-control': 'no-store', location: url.pathname, ...headers },
  });
}

function cookieOf(request: Request, cookieName: string): string {
  const cookies = request.headers.get('cookie')?.split(';') ?? [];
  const own = cookies
    .map((cookie) => cookie.trim().split('='))
    .find(([name]) => name === cookieName);
  return own?.[1] ?? '';
}

/** Compares in the same time whatever is given. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
