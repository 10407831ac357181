import { readFileSync } from 'node:fs';
import type { JsonValue } from '../../src/call/json.ts';
import {
  checkReply,
  type ReplyEntry,
  type ReplyOptions,
  type ReplyRead,
} from '../../src/reply/index.ts';

/** One line of a corpus with the write that it is held against. */
export interface CorpusCase {
  readonly line: number;
  readonly kind: '+' | '*' | '&' | '!' | '?' | '-';
  readonly knownMiss: boolean;
  readonly text: string;
  readonly write: { readonly tool: string; readonly input: JsonValue; readonly data: JsonValue };
  readonly reads: readonly ReplyRead[];
}

/** What a case says under one outcome of its write. */
export interface CorpusResult {
  readonly outcome: string;
  readonly expected: 'pass' | 'corrected';
  readonly actual: 'pass' | 'corrected';
  readonly findings: string;
}

/** The cases of a file of this folder, or of another that is named beside it: `fresh/de`. */
export function corpusOf(name: string): readonly CorpusCase[] {
  const file = new URL(`${name.includes('/') ? '../' : './'}${name}.txt`, import.meta.url);
  const cases: CorpusCase[] = [];
  let write: CorpusCase['write'] | undefined;
  let reads: ReplyRead[] = [];
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, at) => {
      if (line === '' || line.startsWith('#')) return;
      if (line.startsWith('= ')) {
        write = callOf(line.slice(2));
        reads = [];
      } else if (line.startsWith('~ ')) {
        reads = [...reads, callOf(line.slice(2))];
      } else if (write) {
        cases.push({ ...caseOf(line, at + 1), write, reads });
      }
    });
  return cases;
}

function caseOf(
  line: string,
  at: number,
): Pick<CorpusCase, 'line' | 'kind' | 'knownMiss' | 'text'> {
  const knownMiss = line.startsWith('%');
  const rest = knownMiss ? line.slice(1) : line;
  const kind = rest[0] as CorpusCase['kind'];
  if (!'+*&!?-'.includes(kind) || rest[1] !== ' ')
    throw new Error(`line ${at} has no known sign: ${line}`);
  return { line: at, kind, knownMiss, text: rest.slice(2).replaceAll('\\n', '\n') };
}

function callOf(text: string): CorpusCase['write'] {
  const tool = text.slice(0, text.indexOf(' '));
  const rest = text.slice(tool.length + 1);
  // The input ends where the longest prefix that is JSON ends.
  for (let end = rest.indexOf('}'); end >= 0; end = rest.indexOf('}', end + 1)) {
    try {
      const input = JSON.parse(rest.slice(0, end + 1)) as JsonValue;
      const answer = rest.slice(end + 1).trim();
      return { tool, input, data: answer === '' ? null : (JSON.parse(answer) as JsonValue) };
    } catch {}
  }
  throw new Error(`no arguments: ${text}`);
}

const outcomes = ['ok', 'unknown', 'failed', 'skipped', 'removed'] as const;

const foundWhen: Readonly<Record<CorpusCase['kind'], readonly (typeof outcomes)[number][]>> = {
  '+': ['unknown', 'failed', 'skipped', 'removed'],
  '*': ['unknown', 'failed', 'skipped'],
  '&': ['failed', 'removed'],
  '!': ['ok', 'unknown'],
  '?': ['ok'],
  '-': [],
};

/** Runs a case under every outcome; reads are handed over where the case has some. */
export function runCase(
  { kind, text, write, reads }: CorpusCase,
  options: ReplyOptions = {},
): readonly CorpusResult[] {
  return outcomes
    .filter((outcome) => kind !== '*' || outcome !== 'removed')
    .map((outcome) => {
      const { tool, input, data } = write;
      const entry: ReplyEntry[] =
        outcome === 'removed'
          ? []
          : [{ tool, input, outcome, ...(outcome === 'ok' ? { data } : {}) }];
      const checked = checkReply(text, entry, { reads, ...options });
      return {
        outcome,
        expected: foundWhen[kind].includes(outcome) ? ('corrected' as const) : ('pass' as const),
        actual: checked.verdict,
        findings: checked.findings
          .map(({ code, claim, tool: named }) => `${code}/${claim}/${named}`)
          .join(' '),
      };
    });
}
