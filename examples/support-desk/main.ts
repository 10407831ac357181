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

Plays a support desk that refunds at a real local billing server, twice: as such an agent is
written today, and with forthright. Without options it is a page on this machine, whose address is
printed.

  --port NUMBER     where the page is served; 4512 if left out, 0 for any that is free
  --terminal        plays all scenarios here instead
  --scenario NAME   plays this one here; may be given several times
  --list            lists the scenarios
  --model           lets a real model run the desk here: each line of the input is what the
                    customer says. MODEL_URL and MODEL_NAME say where it is, and MODEL_KEY its
                    key, by the protocol of OpenAI's chat completions. Where they are set, the
                    page offers that model too
  --help            this text

Exit codes: 0 every promise held; 1 one did not, or the page cannot be served; 2 the command line
cannot be used.
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
      terminal: { type: 'boolean' },
      port: { type: 'string' },
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
  if (!values.terminal && values.scenario === undefined) return servePage(values.port);
  const names = values.scenario ?? scenarios.map(({ name }) => name);
  const stray = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (stray !== undefined) throw new TypeError(`there is no scenario ${JSON.stringify(stray)}`);
  const chosen = scenarios.filter(({ name }) => names.includes(name));
  return playAll(chosen, paint);
}

const usualPort = 4512;

/** Serves the page until the process is interrupted. */
async function servePage(asked: string | undefined): Promise<number> {
  const port = asked === undefined ? usualPort : Number(asked);
  if (asked?.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`--port has to be a number up to 65535, not ${JSON.stringify(asked)}`);
  }
  const { serveDesk } = await import('./web/server.ts');
  const { modelOf } = await import('./conversation.ts');
  const model = modelOf(process.env);
  const site = await serveDesk({ port, ...(model === undefined ? {} : { model }) }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Error(`port ${port} is taken; choose another one: npm start -- --port 0`);
    },
  );
  say(`The desk is at ${site.url}\nCtrl-C ends it. In the terminal: npm start -- --terminal\n`);
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await site.close();
  return 0;
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
