import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Conversation, falseAlarms, mutations } from '../eval/conversations.ts';
import { type CorpusCase, corpusOf, runCase } from '../eval/reply/corpus.ts';
import { percent, row, sum, type Tally, tally } from '../eval/tally.ts';

const usage = `usage: eval-reply [--data FILE]… [--part R/N[,R/N…]] [--brief]

Measures the reply check on the sentences of eval/ and on conversations, one JSON object a line:
{ calls: [{ name, arguments, result, write, isError }], replies: [{ afterCalls, text }], final_reply }.
Without --data it looks for ../shared/data/trajectories.jsonl.
`;
const args = process.argv.slice(2);
const optionsOf = (name: string): string[] =>
  args.flatMap((arg, at) => (arg === name && args[at + 1] ? [args[at + 1] as string] : []));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function main(): void {
  const started = performance.now();
  sentences();
  const named = optionsOf('--data');
  const shared = fileURLToPath(new URL('../../shared/data/trajectories.jsonl', import.meta.url));
  const files = named.length > 0 ? named : [shared];
  const absent = files.filter((file) => !existsSync(file));
  for (const file of files) if (existsSync(file)) conversations(file);
  say(`\n${(performance.now() - started).toFixed(0)} ms in all`);
  if (absent.length === 0) return;
  say('\n*** NOT MEASURED: real conversations. What is absent:');
  for (const file of absent) say(`***   ${file}`);
  say(
    '*** The figures above are of sentences written for the purpose alone. Name files with --data.',
  );
  if (named.length > 0) process.exitCode = 1;
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

function conversations(file: string): void {
  const parts = partsOf(optionsOf('--part')[0] ?? '0/1');
  const read = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Conversation)
    .filter((_, at) => parts.some(([remainder, divisor]) => at % divisor === remainder));
  say(`\n${file}`);
  report(read, !args.includes('--brief'));
}

/** `0/2` is every other conversation from the first on; several parts are joined by commas. */
function partsOf(text: string): readonly (readonly [remainder: number, divisor: number])[] {
  return text.split(',').map((part) => {
    const [remainder = '0', divisor = '1'] = part.split('/');
    return [Number(remainder), Number(divisor)] as const;
  });
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

if (args.includes('--help')) say(usage);
else main();
