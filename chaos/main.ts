import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { optionsOrUsage, wholeNumber } from '../scripts/options.ts';
import { noPostgres, startCluster } from '../test/support/postgres-cluster.ts';
import { findingsOf } from './findings.ts';
import type { Place } from './store.ts';
import { type Aftermath, storm } from './storm.ts';

const usage = `Usage: npm run chaos -- [options]

Kills and pauses workers at work on one ledger, and counts what their billing server did.

  --intents N     how many refunds are wanted on each store (3000)
  --seed S        the storm's seed (another one each time)
  --store STORE   only sqlite, or only postgres`;

interface Options {
  readonly intents: number;
  readonly seed: number;
  readonly stores: readonly Place['store'][];
}

/** Throws a `TypeError` or a `RangeError` that names the option that is wrong. */
function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      intents: { type: 'string', default: '3000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      store: { type: 'string' },
    },
  });
  const { store } = values;
  if (store !== undefined && store !== 'sqlite' && store !== 'postgres') {
    throw new TypeError(`--store takes sqlite or postgres, not "${store}".`);
  }
  return {
    intents: wholeNumber('--intents', values.intents, 1),
    seed: wholeNumber('--seed', values.seed, 0),
    stores: store === undefined ? ['sqlite', 'postgres'] : [store],
  };
}

function tableOf(aftermath: Aftermath): Readonly<Record<string, string>> {
  const tellings = aftermath.intents.flatMap((intent) => intent.tellings);
  const told = (...outcomes: readonly string[]): string =>
    outcomes.map((its) => tellings.filter(({ outcome }) => outcome === its).length).join(' / ');
  const states = (...wanted: readonly string[]): string =>
    wanted.map((its) => aftermath.entries.filter(({ state }) => state === its).length).join(' / ');
  const weathers = [...aftermath.weathers].toSorted(([, a], [, b]) => b - a);
  const effects = [...aftermath.effects.values()];
  return {
    intents: String(aftermath.intents.length),
    'times slower than usual': aftermath.pace.toFixed(1),
    'workers killed / paused': `${aftermath.kills} / ${aftermath.pauses}`,
    'told ok / already_done': told('ok', 'already_done'),
    'told failed / unknown / skipped': told('failed', 'unknown', 'skipped'),
    'billing was asked': weathers.map(([weather, n]) => `${n} ${weather}`).join(', '),
    'billing did, once / more often': [
      effects.filter((n) => n === 1).length,
      effects.filter((n) => n > 1).length,
    ].join(' / '),
    'ledger: ok / failed / lost claims': states('ok', 'failed', 'claimed'),
    'unknown in the end': String(aftermath.unsettled.length),
    'storm / settling': `${seconds(aftermath.stormMs)} / ${seconds(aftermath.settlingMs)}`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

async function play(place: Place, { seed, intents }: Options): Promise<void> {
  console.log(`\n${place.store}, seed ${seed}`);
  const longestMs = 60_000 + intents * 200;
  const settlingMs = 300_000;
  const aftermath = await storm({ place, seed, intents, atOnce: 48, longestMs, settlingMs });
  for (const [what, figure] of Object.entries(tableOf(aftermath))) {
    console.log(`  ${what.padEnd(36)}${figure}`);
  }
  const findings = findingsOf(aftermath);
  console.log(`  ${'promises broken'.padEnd(36)}${findings.length}`);
  for (const { intent, broken } of findings.slice(0, 20)) {
    console.log(`    ${intent}: ${broken}`);
    const its = aftermath.intents.find(({ name }) => name === intent);
    for (const { outcome, code, summary, effects, isDoubtful } of its?.tellings ?? []) {
      const when = `${effects} done then${isDoubtful ? ', others were running' : ''}`;
      console.log(`      ${outcome} ${code}: ${summary} (${when})`);
    }
  }
  if (findings.length > 0) process.exitCode = 1;
}

async function onSqlite(options: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forthright-chaos-'));
  try {
    await play({ store: 'sqlite', path: join(folder, 'ledger.db') }, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(options: Options): Promise<void> {
  if (noPostgres !== undefined) {
    console.error(`SKIPPED: ${noPostgres}.`);
    if (process.env.FORTHRIGHT_CI !== undefined) process.exitCode = 1;
    return;
  }
  const cluster = startCluster();
  try {
    await play({ store: 'postgres', url: cluster.url }, options);
  } finally {
    cluster.stop();
  }
}

const options = optionsOrUsage(usage, readOptions);
if (options?.stores.includes('sqlite')) await onSqlite(options);
if (options?.stores.includes('postgres')) await onPostgres(options);
