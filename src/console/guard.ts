/** A header that no page of another site can send: the browser would ask this server first, which never agrees. */
const ownHeader = 'x-forthright-console';

/**
 * Why a request is not one of the console's own page; undefined where it is. Browsers say whence a
 * request comes (`Sec-Fetch-Site`, `Origin`), and what changes something has to carry {@link ownHeader} too.
 */
export function crossSite(request: Request): string | undefined {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return 'The request comes from another site.';
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (site === null && !isOwnOrigin(request)) return 'The request comes from another origin.';
  if (request.headers.get(ownHeader) === null) return `The header ${ownHeader} is missing.`;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim();
  return type === 'application/json' ? undefined : 'The body has to be application/json.';
}

/** An older browser says no more than its origin; what is no browser says nothing, and is held to the header. */
function isOwnOrigin(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null) return true;
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host');
  return URL.canParse(origin) && new URL(origin).host === (host ?? new URL(request.url).host);
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every answer says, so that a browser does nothing else with it. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
