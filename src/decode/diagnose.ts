import type { Defect } from '../call/tool-error.ts';
import { char, isNumberPart } from './char.ts';
import { cutOff, defectOf, type Stop, skipBlank, stopAt } from './json-problem.ts';
import { parameterNameOf, pointerOf } from './pointer.ts';
import { readString } from './read-string.ts';
import { isWellFormed } from './scan.ts';
import { mayBeUnsafe, numberProblem } from './unsafe-number.ts';

/** No more defects than this are told at once. */
const mostDefects = 20;

/** An object or list that is open at the place that is read. */
interface Frame {
  readonly isObject: boolean;
  readonly keys: Set<string>;
  /** The key whose value is read. */
  key: string;
  /** How many values of a list are complete. */
  index: number;
}

type Expected = 'value' | 'first value or ]' | 'key' | 'first key or }' | 'next or end';

/**
 * Reads a text by the grammar of RFC 8259 and names all that is wrong with it, in the order of the
 * text, at most 20 defects. What breaks the grammar ends the reading, and so does nesting past
 * `maxDepth`. Nothing is found in a text that is one clean JSON object.
 */
export function diagnose(text: string, maxDepth: number): readonly Defect[] {
  const reading = new Reading(text, maxDepth);
  const start = skipBlank(text, 0);
  if (start === text.length) {
    return [defectOf(text, { at: 0, problem: 'blank', detail: 'no text' })];
  }
  const stop = reading.readOneFrom(start) ?? afterOne(reading, start);
  if (stop !== undefined) reading.defects.push(defectOf(text, stop));
  return reading.defects;
}

/** What is wrong with the whole of a text whose first value is complete. */
function afterOne(reading: Reading, start: number): Stop | undefined {
  const { text } = reading;
  if (reading.isTooDeep) return undefined;
  if (text.charCodeAt(start) !== char.openBrace) {
    return { at: start, problem: 'not_an_object', detail: kindOf(text.charCodeAt(start)) };
  }
  const rest = skipBlank(text, reading.at);
  if (rest === text.length) return undefined;
  const stop = stopAt(text, rest, 'the end');
  if (stop.problem !== 'syntax') return stop;
  const second = text.charCodeAt(rest) === char.comma ? skipBlank(text, rest + 1) : rest;
  return text.charCodeAt(second) === char.openBrace && isObjectOrCutOff(reading, second)
    ? { at: second, problem: 'concatenated', detail: 'a second object' }
    : { ...stop, problem: 'trailing_text' };
}

function isObjectOrCutOff(first: Reading, start: number): boolean {
  const stop = new Reading(first.text, first.maxDepth).readOneFrom(start);
  return stop === undefined || stop.problem === 'truncated';
}

function kindOf(unit: number): string {
  if (unit === char.openBracket) return 'a list';
  if (unit === char.quote) return 'a string';
  if (unit === char.minus || (unit >= char.zero && unit <= char.nine)) return 'a number';
  return unit === 110 /* n */ ? 'null' : 'a boolean';
}

class Reading {
  readonly text: string;
  readonly maxDepth: number;
  readonly defects: Defect[] = [];
  isTooDeep = false;
  at = 0;
  private readonly frames: Frame[] = [];
  private expected: Expected = 'value';
  /** Where no half character stands in the text itself, only an escape can make one. */
  private readonly isTextWhole: boolean;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.isTextWhole = isWellFormed(text);
  }

  /** Reads one value; says what stopped it, or leaves `at` after the value. */
  readOneFrom(start: number): Stop | undefined {
    this.at = start;
    do {
      this.at = skipBlank(this.text, this.at);
      const stop = this.step();
      if (stop !== undefined || this.isTooDeep) return stop;
    } while (this.frames.length > 0);
    return undefined;
  }

  private step(): Stop | undefined {
    const unit = this.text.charCodeAt(this.at);
    switch (this.expected) {
      case 'first key or }':
        return unit === char.closeBrace ? this.close() : this.readKey(unit, 'a key or }');
      case 'key':
        return this.readKey(unit, 'a key in double quotes');
      case 'first value or ]':
        return unit === char.closeBracket ? this.close() : this.readValue(unit);
      case 'value':
        return this.readValue(unit);
      case 'next or end':
        return this.readAfterValue(unit);
    }
  }

  private readKey(unit: number, expected: string): Stop | undefined {
    if (unit !== char.quote) return stopAt(this.text, this.at, expected);
    const read = readString(this.text, this.at);
    if ('problem' in read) return read;
    const frame = this.frames.at(-1) as Frame;
    const key = read.hasEscape
      ? (JSON.parse(this.text.slice(this.at, read.end)) as string)
      : this.text.slice(this.at + 1, read.end - 1);
    frame.key = key;
    this.judgeKey(frame, key, read.hasEscape);
    this.at = skipBlank(this.text, read.end);
    if (this.text.charCodeAt(this.at) !== char.colon) {
      return stopAt(this.text, this.at, 'a colon');
    }
    this.at++;
    this.expected = 'value';
    return undefined;
  }

  private judgeKey(frame: Frame, key: string, hasEscape: boolean): void {
    if (frame.keys.has(key)) this.report('duplicate_key');
    frame.keys.add(key);
    if ((hasEscape || !this.isTextWhole) && !isWellFormed(key)) this.report('invalid_unicode');
    const outer = this.frames.at(-2);
    if (key === '__proto__') this.report('forbidden_key');
    else if (key === 'prototype' && outer?.isObject && outer.key === 'constructor') {
      this.report('forbidden_key', this.segments().slice(0, -1));
    }
  }

  private readValue(unit: number): Stop | undefined {
    if (unit === char.openBrace) return this.open(true);
    if (unit === char.openBracket) return this.open(false);
    if (unit === char.quote) return this.readStringValue();
    if (unit === char.minus || (unit >= char.zero && unit <= char.nine)) return this.readNumber();
    return this.readWord();
  }

  private open(isObject: boolean): Stop | undefined {
    if (this.frames.length >= this.maxDepth) {
      this.isTooDeep = true;
      const path = pointerOf(this.segments());
      this.add({ code: 'arguments_too_deep', path, limit: this.maxDepth });
      return undefined;
    }
    this.frames.push({ isObject, keys: new Set(), key: '', index: 0 });
    this.expected = isObject ? 'first key or }' : 'first value or ]';
    this.at++;
    return undefined;
  }

  private close(): undefined {
    this.frames.pop();
    return this.endValue(this.at + 1);
  }

  private endValue(end: number): undefined {
    this.at = end;
    this.expected = 'next or end';
    return undefined;
  }

  private readAfterValue(unit: number): Stop | undefined {
    const frame = this.frames.at(-1) as Frame;
    if (unit === (frame.isObject ? char.closeBrace : char.closeBracket)) return this.close();
    if (unit !== char.comma) {
      return stopAt(this.text, this.at, frame.isObject ? 'a comma or }' : 'a comma or ]');
    }
    frame.index++;
    this.at++;
    this.expected = frame.isObject ? 'key' : 'value';
    return undefined;
  }

  private readStringValue(): Stop | undefined {
    const read = readString(this.text, this.at);
    if ('problem' in read) return read;
    if (read.hasEscape || !this.isTextWhole) {
      const raw = this.text.slice(this.at, read.end);
      const isWhole = isWellFormed(raw) && isWellFormed(JSON.parse(raw));
      if (!isWhole) this.report('invalid_unicode');
    }
    return this.endValue(read.end);
  }

  private readNumber(): Stop | undefined {
    let end = this.at + 1;
    while (isNumberPart(this.text.charCodeAt(end))) end++;
    const token = this.text.slice(this.at, end);
    if (!wholeNumber.test(token)) {
      return end === this.text.length && cutNumber.test(token)
        ? cutOff(this.text, 'a number')
        : stopAt(this.text, this.at, 'a JSON number');
    }
    const isSuspect = mayBeUnsafe(token.length, /[eE]/.test(token));
    const problem = isSuspect ? numberProblem(token) : undefined;
    if (problem !== undefined) {
      const segments = this.segments();
      const path = pointerOf(segments);
      const parameterName = parameterNameOf(segments);
      this.add({ code: 'unsafe_number', path, parameterName, received: token, problem });
    }
    return this.endValue(end);
  }

  private readWord(): Stop | undefined {
    for (const word of ['true', 'false', 'null']) {
      if (this.text.startsWith(word, this.at)) return this.endValue(this.at + word.length);
      const rest = this.text.length - this.at;
      if (rest > 0 && rest < word.length && this.text.endsWith(word.slice(0, rest))) {
        return cutOff(this.text, word);
      }
    }
    return stopAt(this.text, this.at, 'a value');
  }

  private report(
    code: 'duplicate_key' | 'forbidden_key' | 'invalid_unicode',
    segments: readonly (string | number)[] = this.segments(),
  ): void {
    this.add({ code, path: pointerOf(segments), parameterName: parameterNameOf(segments) });
  }

  private add(defect: Defect): void {
    if (this.defects.length < mostDefects) this.defects.push(defect);
  }

  /** The keys and indexes that lead to the value that is read. */
  private segments(): readonly (string | number)[] {
    return this.frames.map((frame) => (frame.isObject ? wellFormed(frame.key) : frame.index));
  }
}

const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The beginning of a number. */
const cutNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d*)?$/;

/** Half a surrogate pair becomes U+FFFD, so that a path can be told. */
function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
