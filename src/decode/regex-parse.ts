/** One piece of a regular expression (ECMA-262, section 22.2.1), as far as it can be run in linear time. */
export type RegexNode =
  | { readonly kind: 'char'; readonly test: (char: string) => boolean }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: RegexNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'no boundary' }
  | { readonly kind: 'ahead'; readonly item: RegexNode; readonly negated: boolean };

/** Deeper groups are left to the engine. */
const deepestGroup = 50;

/**
 * Reads a regular expression that is known to be valid; undefined where it has what no linear engine
 * can run or this one does not (back references, look-behind, modifiers).
 */
export function parseRegex(source: string, flags: string): RegexNode | undefined {
  try {
    return new RegexParser(source, flags).parseChoice(0);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Unsupported extends Error {}

class RegexParser {
  private at = 0;
  private readonly source: string;
  private readonly flags: string;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }

  parseChoice(depth: number): RegexNode {
    if (depth > deepestGroup) throw new Unsupported();
    const branches = [this.parseSequence(depth)];
    while (this.take('|')) branches.push(this.parseSequence(depth));
    return branches.length === 1 ? (branches[0] as RegexNode) : { kind: 'choice', branches };
  }

  private parseSequence(depth: number): RegexNode {
    const items: RegexNode[] = [];
    while (this.at < this.source.length && !this.isNext('|') && !this.isNext(')')) {
      items.push(this.parseRepeats(this.parseAtom(depth)));
    }
    return { kind: 'sequence', items };
  }

  private parseRepeats(item: RegexNode): RegexNode {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(
      this.source.slice(this.at, this.at + 40),
    );
    if (found === null) return item;
    this.at += found[0].length;
    const [, sign, least, comma, most] = found;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    if (sign !== undefined) {
      return { kind: 'repeat', item, min, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    const isOpen = comma !== undefined && most === '';
    const max = comma === undefined ? min : isOpen ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', item, min, max };
  }

  private parseAtom(depth: number): RegexNode {
    if (this.take('(')) return this.parseGroup(depth);
    if (this.take('^')) return { kind: 'start' };
    if (this.take('$')) return { kind: 'end' };
    if (this.isNext('[')) return this.charClass(this.takeLength(this.classLength()));
    if (this.isNext('\\')) return this.parseEscape();
    const char = this.takeLength(this.charLength());
    return char === '.' ? this.charClass(char) : { kind: 'char', test: (other) => other === char };
  }

  private parseGroup(depth: number): RegexNode {
    const opening = /^\?(?::|=|!|<[^=!>][^>]*>)/.exec(
      this.source.slice(this.at, this.at + 100),
    )?.[0];
    if (opening === undefined && this.isNext('?')) throw new Unsupported();
    this.at += opening?.length ?? 0;
    const item = this.parseChoice(depth + 1);
    if (!this.take(')')) throw new Unsupported();
    return opening === '?=' || opening === '?!'
      ? { kind: 'ahead', item, negated: opening === '?!' }
      : item;
  }

  private parseEscape(): RegexNode {
    const rest = this.source.slice(this.at, this.at + 100);
    if (/^\\[bB]/.test(rest)) {
      return { kind: this.takeLength(2) === '\\b' ? 'boundary' : 'no boundary' };
    }
    if (/^\\(?:[1-9]|k)/.test(rest)) throw new Unsupported();
    const isUnicode = this.flags.includes('u');
    const long = isUnicode
      ? /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})/
      : /^\\(?:[89]|0\d+)/;
    const found =
      long.exec(rest) ?? /^\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[\s\S])/u.exec(rest);
    if (found === null) throw new Unsupported();
    return this.charClass(this.takeLength(found[0].length));
  }

  /** A class, an escape or a point: one character, which the engine itself judges. */
  private charClass(source: string): RegexNode {
    const single = new RegExp(`^${source}$`, this.flags);
    return { kind: 'char', test: (char) => single.test(char) };
  }

  /** Up to the first bracket that is not escaped. */
  private classLength(): number {
    let end = this.at + 1;
    while (end < this.source.length && this.source[end] !== ']') {
      end += this.source[end] === '\\' ? 2 : 1;
    }
    return end + 1 - this.at;
  }

  private charLength(): number {
    const point = this.source.codePointAt(this.at) ?? 0;
    return this.flags.includes('u') && point > 0xffff ? 2 : 1;
  }

  private isNext(char: string): boolean {
    return this.source[this.at] === char;
  }

  private take(char: string): boolean {
    if (!this.isNext(char)) return false;
    this.at++;
    return true;
  }

  private takeLength(length: number): string {
    const taken = this.source.slice(this.at, this.at + length);
    this.at += length;
    return taken;
  }
}
