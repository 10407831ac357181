import { safeHeaders } from './guard.ts';

/** An answer in JSON, which nothing keeps. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {
      ...safeHeaders,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}

/** A refusal, in one sentence. */
export function problem(status: number, message: string): Response {
  return json({ problem: message }, status);
}
