import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Entry } from 'forthright';
import { type BillingTruth, broken, type Played, playForthright, playNaive } from './play.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import {
  type Paint,
  painter,
  showLedger,
  showRow,
  showRowHead,
  showSide,
  showTitle,
  showTruth,
} from './show.ts';
import type { Line } from './stage.ts';

const usage = `Usage: npm start [-- options]

Plays a support desk that refunds at a real local billing server, each scenario twice: as such an
agent is written today, and with forthright.

  --scenario NAME   plays this one; may be given several times
  --list            lists the scenarios
  --model           lets a real model run the desk instead: each line of the input is what the
                    customer says. MODEL_URL and MODEL_NAME say where it is, and MODEL_KEY its
                    key, by the protocol of OpenAI's chat completions
  --help            this text

Exit codes: 0 every promise held; 1 one did not; 2 the command line cannot be used.
`;

/** Both sides of a scenario, played. */
interface Both {
  readonly scenario: Scenario;
  readonly naive: BillingTruth;
  readonly naiveLines: readonly Line[];
  readonly played: Played;
  readonly entries: readonly Entry[];
  readonly lines: readonly Line[];
}

async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      scenario: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      model: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const paint = painter(process.stdout.isTTY === true, process.env);
  if (values.help) return say(usage, 0);
  if (values.list) {
    return say(scenarios.map(({ name, title }) => `${name.padEnd(22)}${title}\n`).join(''), 0);
  }
  if (values.model) {
    const ledger = join(mkdtempSync(join(tmpdir(), 'forthright-desk-')), 'ledger.db');
    const { converse } = await import('./conversation.ts');
    await converse(process.env, process.stdin, ledger, say);
    return 0;
  }
  const names = values.scenario ?? scenarios.map(({ name }) => name);
  const stray = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (stray !== undefined) throw new TypeError(`there is no scenario ${JSON.stringify(stray)}`);
  const chosen = scenarios.filter(({ name }) => names.includes(name));
  return playAll(chosen, paint);
}

/** Some are played at the same time, since a few wait for other processes; all are shown in order. */
async function playAll(chosen: readonly Scenario[], paint: Paint): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'forthright-desk-'));
  const playing = started(chosen, (scenario) => playBoth(scenario, directory), 4);
  const rows: string[] = [];
  let isBroken = false;
  for (const both of playing) {
    const { scenario, naive, naiveLines, played, entries, lines } = await both;
    const complaints = broken(scenario, played);
    isBroken ||= complaints.length > 0;
    say(
      [
        showTitle(scenario, paint),
        showSide('as it is written today', naiveLines, paint),
        showTruth(naive, scenario, paint),
        showSide('with forthright', lines, paint),
        ...showLedger(entries, paint),
        showTruth(played, scenario, paint),
        ...complaints.map((complaint) => paint('red', `    broken    ${complaint}`)),
        '',
      ].join('\n'),
    );
    rows.push(showRow(scenario, naive, played, complaints, paint));
  }
  say([showRowHead(paint), ...rows, ''].join('\n'));
  say(
    `\nThe ledgers are files in ${directory}; to look into one, after npm run build:\n  npx forthright ledger list ${directory}/${chosen[0]?.name}.db\n`,
  );
  return isBroken ? 1 : 0;
}

async function playBoth(scenario: Scenario, directory: string): Promise<Both> {
  const naiveLines: Line[] = [];
  const lines: Line[] = [];
  const [naive, played] = await Promise.all([
    playNaive(scenario, (line) => naiveLines.push(line)),
    playForthright(scenario, directory, (line) => lines.push(line)),
  ]);
  return { scenario, naive, naiveLines, played, entries: played.entries, lines };
}

/** Starts work on all items, at most `places` at the same time, in order. */
function started<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  places: number,
): readonly Promise<R>[] {
  const all: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const before = index < places ? Promise.resolve() : all[index - places];
    const running = Promise.resolve(before).then(() => work(item));
    // Whoever waits for it hears of its failure; until then it is no failure of the process.
    running.catch(() => undefined);
    all.push(running);
  }
  return all;
}

function say(text: string, code = 0): number {
  process.stdout.write(text);
  return code;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
