import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Conversation, falseAlarms, mutations } from '../eval/conversations.ts';
import { type CorpusCase, corpusOf, runCase } from '../eval/reply/corpus.ts';
import { percent, row, sum, type Tally, tally } from '../eval/tally.ts';
import { optionsOrUsage, wholeNumber } from './options.ts';

const usage = `Usage: npm run eval:reply -- [--data FILE]… [--part R/N[,R/N…]] [--brief]

Measures the reply check on the sentences of eval/ and on conversations, one JSON object a line:
{ calls: [{ name, arguments, result, write, isError }], replies: [{ afterCalls, text }], final_reply }.

  --data FILE    conversations; may be given several times (../shared/data/trajectories.jsonl)
  --part R/N     of every N conversations the one after R others; several are joined by commas
  --brief        does not list what was missed`;

type Part = readonly [remainder: number, divisor: number];

interface Options {
  readonly data: readonly string[];
  readonly parts: readonly Part[];
  readonly brief: boolean;
}

/** Throws a `TypeError` or a `RangeError` that names the option that is wrong. */
function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', multiple: true, default: [] },
      part: { type: 'string', default: '0/1' },
      brief: { type: 'boolean', default: false },
    },
  });
  return { data: values.data, parts: values.part.split(',').map(partOf), brief: values.brief };
}

function partOf(text: string): Part {
  const [remainder = '', divisor = '', ...more] = text.split('/');
  if (more.length > 0) throw new RangeError(`--part takes R/N, not "${text}".`);
  return [wholeNumber('--part', remainder, 0), wholeNumber('--part', divisor, 1)];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function main(options: Options): void {
  const started = performance.now();
  sentences();
  const shared = fileURLToPath(new URL('../../shared/data/trajectories.jsonl', import.meta.url));
  const files = options.data.length > 0 ? options.data : [shared];
  const absent = files.filter((file) => !existsSync(file));
  for (const file of files) if (existsSync(file)) conversations(file, options);
  say(`\n${(performance.now() - started).toFixed(0)} ms in all`);
  if (absent.length === 0) return;
  say('\n*** NOT MEASURED: real conversations. What is absent:');
  for (const file of absent) say(`***   ${file}`);
  say(
    '*** The figures above are of sentences written for the purpose alone. Name files with --data.',
  );
  if (options.data.length > 0) process.exitCode = 1;
}

const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** The sentences of this repository: those that the rules are tuned on, and those that are not. */
function sentences(): void {
  say(
    'Sentences of this repository: claims found where they are false, and alarms where nothing is',
  );
  const halves = new Map([
    ['tuned on', { found: tally(), alarms: tally() }],
    ['held out', { found: tally(), alarms: tally() }],
  ]);
  for (const language of languages) {
    const cases = corpusOf(`fresh/${language}`);
    for (const [name, half] of halves) {
      const own = cases.filter((_, at) => (at % 2 === 0) === (name === 'tuned on'));
      const { found, alarms } = measured(own);
      say(row(`${language}, fresh, ${name}: found`, found));
      say(row(`${language}, fresh, ${name}: alarms`, alarms));
      add(half.found, found);
      add(half.alarms, alarms);
    }
  }
  for (const [name, { found, alarms }] of halves) {
    say(row(`all fresh, ${name}: found`, found));
    say(row(`all fresh, ${name}: alarms`, alarms));
    say(
      `  precision ${percent(found.found, found.found + alarms.found)}, recall ${percent(found.found, found.of)}`,
    );
  }
  const grown = ['en', 'en-2', ...languages.slice(1)].flatMap((name) => corpusOf(name));
  const { found, alarms } = measured(grown);
  say(row('eval/reply, grown with the rules: found', found));
  say(row('eval/reply, grown with the rules: alarms', alarms));
}

function measured(cases: readonly CorpusCase[]): { readonly found: Tally; readonly alarms: Tally } {
  const found = tally();
  const alarms = tally();
  for (const { expected, actual } of cases.flatMap((one) => runCase(one))) {
    const into = expected === 'corrected' ? found : alarms;
    into.of += 1;
    if (actual === 'corrected') into.found += 1;
  }
  return { found, alarms };
}

function add(into: Tally, { found, of }: Tally): void {
  into.found += found;
  into.of += of;
}

function conversations(file: string, { parts, brief }: Options): void {
  const read = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Conversation)
    .filter((_, at) => parts.some(([remainder, divisor]) => at % divisor === remainder));
  say(`\n${file}`);
  report(read, !brief);
}

function report(conversations: readonly Conversation[], listMisses: boolean): void {
  const alarms = falseAlarms(conversations);
  const found = mutations(conversations);
  const lines: string[] = [];
  lines.push(
    `${conversations.length} conversations`,
    '',
    'False alarms, with the outcomes as they were',
  );
  for (const [name, tally] of alarms) lines.push(row(name, tally));
  lines.push('', 'Found, with one thing changed');
  for (const [name, tally] of found) lines.push(row(name, tally));
  const flips = ['unknown', 'failed', 'skipped', 'removed'].map((kind) => found.get(kind) as Tally);
  const all = sum(flips);
  lines.push(row('all flipped success claims', all));
  const wrong = sum([...alarms.values()]).found;
  lines.push(
    '',
    `precision ${percent(all.found, all.found + wrong)}, recall ${percent(all.found, all.of)}`,
  );
  for (const [name, tally] of alarms) {
    for (const text of tally.missed) lines.push('', `false alarm (${name}): ${text}`);
  }
  if (listMisses) {
    for (const [name, tally] of found) {
      for (const text of tally.missed) lines.push('', `missed (${name}): ${text}`);
    }
  }
  say(lines.join('\n'));
}

const options = optionsOrUsage(usage, readOptions);
if (options !== undefined) main(options);
