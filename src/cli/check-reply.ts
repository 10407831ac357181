import type { OutcomeName } from '../call/codes.ts';
import type { JsonObject } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { parseStrict } from '../decode/strict-json.ts';
import { checkReply as check } from '../reply/check.ts';
import type { ReplyEntry, ReplyRead } from '../reply/types.ts';
import { type Command, positionals, textOption } from './command.ts';
import { type Line, linesOf } from './lines.ts';
import { sayDefect } from './say-defect.ts';

const longestLineBytes = 64 * 1024 * 1024;

/** `forthright check-reply` */
export const checkReply: Command = {
  name: 'check-reply',
  summary: 'final replies on standard input, held against the record beside them',
  help: `Usage: forthright check-reply [options] < replies.jsonl

Reads one reply a line with the writes it may speak of, and writes one line for each, in order:

  in   {"reply":"…","entries":[{"tool":"…","input":{…},"outcome":"unknown","data":…}],"reads":[…]}
  out  {"verdict":"pass"|"corrected","findings":[…],"reply":"…"}

outcome is one of ok, already_done, failed, unknown, skipped; data and reads may be left out. A read is
{"tool","input","data"}: what it showed may be reported. A line that is none of this is answered by
{"error":"…"}, and the run goes on. Blank lines are passed over.

Options:
  --language CODE  the language of the replies, such as en; told from the text if left out
  --help           print this

Exit codes: 0 every line was answered; 1 a line could not be read; 2 the command line is wrong.`,
  options: { language: { type: 'string' } },
  async run(said, { stdin, out }) {
    positionals(said);
    const language = textOption(said, 'language');
    let isEveryLineRead = true;
    for await (const line of linesOf(stdin, longestLineBytes)) {
      if (line.kind === 'line' && line.text.trim() === '') continue;
      const read = questionOf(line);
      isEveryLineRead &&= read.ok;
      const answer = read.ok ? answerTo(read.value, language) : { error: read.error };
      await out(`${JSON.stringify(answer)}\n`);
    }
    return isEveryLineRead ? 0 : 1;
  },
};

interface Question {
  readonly reply: string;
  readonly entries: readonly ReplyEntry[];
  readonly reads: readonly ReplyRead[] | undefined;
}

function answerTo({ reply, entries, reads }: Question, language: string | undefined): object {
  return check(reply, entries, {
    ...(reads === undefined ? {} : { reads }),
    ...(language === undefined ? {} : { language }),
  });
}

function questionOf(line: Line): Step<Question, string> {
  if (line.kind === 'too_long')
    return refuse(`line ${line.number} is longer than ${line.limitBytes} bytes`);
  if (line.kind === 'not_utf8') return refuse(`line ${line.number} is no UTF-8`);
  const parsed = parseStrict(line.text, { maxLength: Number.POSITIVE_INFINITY, maxDepth: 1000 });
  if (!parsed.ok) return refuse(`line ${line.number}: ${sayDefect(parsed.error[0])}`);
  const problem = problemOf(parsed.value);
  return problem === undefined
    ? pass(parsed.value as unknown as Question)
    : refuse(`line ${line.number}: ${problem}`);
}

function problemOf({ reply, entries, reads }: JsonObject): string | undefined {
  if (typeof reply !== 'string') return '"reply" must be text';
  if (!isListOf(entries, isEntry)) {
    return `"entries" must be a list of {"tool", "input", "outcome"}, outcome one of ${[...outcomes].join(', ')}`;
  }
  if (reads !== undefined && !isListOf(reads, isRead))
    return '"reads" must be a list of {"tool", …}';
  return undefined;
}

const outcomes: ReadonlySet<unknown> = new Set<OutcomeName>([
  'ok',
  'already_done',
  'failed',
  'unknown',
  'skipped',
]);

function isListOf(value: unknown, isItem: (item: Partial<ReplyEntry>) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) => typeof item === 'object' && item !== null && isItem(item));
}

function isEntry({ tool, input, outcome }: Partial<ReplyEntry>): boolean {
  return typeof tool === 'string' && input !== undefined && outcomes.has(outcome);
}

function isRead({ tool }: Partial<ReplyEntry>): boolean {
  return typeof tool === 'string';
}
