/** A piece of text: a word, a number, a code such as `W-123` or an e-mail address, or a mark. */
export interface Token {
  readonly kind: 'word' | 'number' | 'code' | 'mark';
  /** In lower case, with straight apostrophes. */
  readonly text: string;
  /** As it stands in the text. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

const longestToken = 128;
const emphasis = new Set(['*', '_', '`', '~']);

/** Reads text into tokens, in time linear in its length; marks of emphasis are left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) as number;
    const width = point > 0xffff ? 2 : 1;
    if (isSpace(point)) {
      at += width;
    } else if (startsToken(text, at, point)) {
      const end = runEnd(text, at);
      pushRun(tokens, text, at, end);
      at = end;
    } else {
      const raw = text.slice(at, at + width);
      if (!emphasis.has(raw)) {
        tokens.push({ kind: 'mark', text: raw, raw, start: at, end: at + width });
      }
      at += width;
    }
  }
  return tokens;
}

/** Whether a character is a letter, with what is written above or below it. */
export function isLetter(point: number): boolean {
  if (point < 128) return (point | 32) >= 97 && (point | 32) <= 122;
  return letter.test(String.fromCodePoint(point));
}

/** Whether a character is one of the digits 0 to 9. */
export function isDigit(point: number): boolean {
  return point >= 48 && point <= 57;
}

/** Whether a character separates words. */
export function isSpace(point: number): boolean {
  return (
    point === 32 ||
    (point >= 9 && point <= 13) ||
    point === 0xa0 ||
    point === 0x202f ||
    isThin(point)
  );
}

const letter = /^[\p{L}\p{M}\p{N}]$/u;

function isThin(point: number): boolean {
  return (point >= 0x2000 && point <= 0x200d) || point === 0x3000 || point === 0xfeff;
}

function startsToken(text: string, at: number, point: number): boolean {
  if (isLetter(point) || isDigit(point)) return true;
  if (point !== 35) return false; // '#'
  const next = text.codePointAt(at + 1);
  return next !== undefined && (isLetter(next) || isDigit(next));
}

/** Where a run of letters and digits ends; marks inside it belong to it if both neighbours do. */
function runEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + longestToken);
  let at = start + 1;
  let mail = false;
  while (at < limit) {
    const point = text.codePointAt(at) as number;
    if (isLetter(point) || isDigit(point) || point === 95) {
      at += point > 0xffff ? 2 : 1;
    } else if (joins(text, at, point, mail)) {
      mail ||= point === 64;
      at += 1;
    } else {
      return trimUnderscores(text, start, at);
    }
  }
  return trimUnderscores(text, start, at);
}

function trimUnderscores(text: string, start: number, end: number): number {
  let last = end;
  while (last > start + 1 && text.charCodeAt(last - 1) === 95) last -= 1;
  return last;
}

function joins(text: string, at: number, point: number, mail: boolean): boolean {
  const next = text.codePointAt(at + 1);
  if (next === undefined || !(isLetter(next) || isDigit(next))) return false;
  const before = text.charCodeAt(at - 1);
  switch (point) {
    case 45: // '-'
    case 39: // "'"
    case 0x2019:
    case 64: // '@'
      return true;
    case 46: // '.'
      return mail || (isDigit(before) && isDigit(next)) || mailFollows(text, at);
    case 44: // ','
      return isDigit(before) && isDigit(next) && groupFollows(text, at + 1);
    case 43: // '+'
      return mailFollows(text, at);
    default:
      return false;
  }
}

/** `1,234` and `20,00` are numbers; `1,2,3,4` is a list. */
function groupFollows(text: string, at: number): boolean {
  let count = 0;
  while (count < 4 && isDigit(text.charCodeAt(at + count))) count += 1;
  return count === 2 || count === 3;
}

function mailFollows(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + 64);
  for (let next = at + 1; next < limit; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 64) return true;
    if (!(isLetter(code) || isDigit(code) || code === 46 || code === 45 || code === 95))
      return false;
  }
  return false;
}

function pushRun(tokens: Token[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const cut = raw.search(/['\u2019]/);
  if (cut < 1) {
    tokens.push(runToken(raw, start));
    return;
  }
  const left = raw.slice(0, cut);
  const right = raw.slice(cut + 1).toLowerCase();
  if (right === 't' && /n$/i.test(left)) {
    const stem = left.length > 1 ? left.slice(0, -1) : left;
    tokens.push(wordToken(contracted[stem.toLowerCase()] ?? stem, stem, start));
    tokens.push({
      kind: 'word',
      text: "n't",
      raw: raw.slice(cut - 1),
      start: start + cut - 1,
      end,
    });
  } else if (englishEndings.has(right)) {
    tokens.push(runToken(left, start));
    tokens.push({ kind: 'word', text: `'${right}`, raw: raw.slice(cut), start: start + cut, end });
  } else {
    const elided = raw.slice(0, cut + 1);
    tokens.push(wordToken(`${left.toLowerCase()}'`, elided, start));
    pushRun(tokens, text, start + cut + 1, end);
  }
}

const englishEndings = new Set(['s', 've', 're', 'll', 'd', 'm']);
const contracted: Readonly<Record<string, string>> = { wo: 'will', ca: 'can', sha: 'shall' };

function wordToken(word: string, raw: string, start: number): Token {
  return { kind: 'word', text: word.toLowerCase(), raw, start, end: start + raw.length };
}

function runToken(raw: string, start: number): Token {
  let digits = 0;
  let others = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const code = raw.charCodeAt(at);
    if (isDigit(code)) digits += 1;
    else if (code !== 44 && code !== 46) others += 1;
  }
  const kind = digits === 0 && !raw.includes('@') && !raw.startsWith('#') ? 'word' : 'code';
  return {
    kind: digits > 0 && others === 0 ? 'number' : kind,
    text: raw.toLowerCase(),
    raw,
    start,
    end: start + raw.length,
  };
}
