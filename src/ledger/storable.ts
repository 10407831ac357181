/**
 * Throws a TypeError where a text of a request holds what not every store keeps as it is: a NUL
 * (PostgreSQL, `node:sqlite` of Node 22) or a lone surrogate (UTF-8). Alike on every store, so that
 * none of them takes what another one refuses.
 */
export function checkStorable(request: object): void {
  for (const [field, value] of Object.entries(request)) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw new TypeError(`The ledger cannot keep ${field}: it holds a NUL or a lone surrogate.`);
    }
  }
}

const loneSurrogate = /\p{Surrogate}/u;

/** Whether every store keeps a text as it is. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && !loneSurrogate.test(text);
}
