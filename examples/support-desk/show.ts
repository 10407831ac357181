import type { Entry } from 'forthright';
import type { BillingTruth, Played } from './play.ts';
import type { Scenario } from './scenario.ts';
import type { Line } from './stage.ts';
import { money } from './tools.ts';

/** Colours a text for a terminal, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

type Colour = keyof typeof colours;

const colours = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

/** Colours unless NO_COLOR is set (no-color.org) or nobody looks on; FORCE_COLOR overrules the latter. */
export function painter(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const plain = Boolean(env.NO_COLOR) || (!isTerminal && !forced);
  return (colour, text) => (plain ? text : `\u001b[${colours[colour]}m${text}\u001b[0m`);
}

/** The name of a scenario, and what it is about. */
export function showTitle({ name, title }: Scenario, paint: Paint): string {
  return `\n${paint('bold', `■ ${title}`)}  ${paint('dim', `--scenario ${name}`)}`;
}

/** One side of a scenario: its lines, and what billing really did. */
export function showSide(heading: string, lines: readonly Line[], paint: Paint): string {
  return ['', paint('cyan', `  ${heading}`), ...lines.map((line) => showLine(line, paint))].join(
    '\n',
  );
}

function showLine(line: Line, paint: Paint): string {
  switch (line.who) {
    case 'customer':
      return `    customer  ${line.text}`;
    case 'agent':
      return `    agent     ${paint('bold', indented(short(line.text)))}`;
    case 'note':
      return paint('dim', `            · ${line.text}`);
    case 'tool': {
      const words = [...new Set(line.told.split(' '))].join(' ');
      const told = words === '' ? '' : `${paint(colourOf(words), words)}  `;
      return [
        `    call      ${paint('blue', line.call)}`,
        `              → ${told}${paint('dim', short(line.summary))}`,
      ].join('\n');
    }
  }
}

/** What the ledger says of each write. */
export function showLedger(entries: readonly Entry[], paint: Paint): readonly string[] {
  return entries.map((entry, index) => {
    const head = index === 0 ? 'ledger' : '';
    const { tool, state, key, generation, verdict } = entry;
    const by = verdict === null ? '' : ` by ${verdict.by}`;
    const state_ = paint(colourOf(state), state.padEnd(8));
    return `    ${head.padEnd(8)}  ${state_}  ${tool} ${entry.input}${paint('dim', `${by}  ${key.slice(0, 12)}… generation ${generation}`)}`;
  });
}

/** What billing really did, in money, beside what was meant. */
export function showTruth(truth: BillingTruth, meant: Scenario, paint: Paint): string {
  const { refunds, addresses } = truth;
  const isRight = sumOf(refunds) === sumOf(meant.refunds);
  const sum = `${sayRefunds(refunds)}${addresses.length > 0 ? `, address: ${addresses.join(' → ')}` : ''}`;
  const verdict = isRight
    ? paint('green', '✓')
    : paint('red', `✗ meant: ${sayRefunds(meant.refunds)}`);
  return `    billing   ${paint(isRight ? 'green' : 'red', sum)}  ${verdict}`;
}

/** One row of the table at the end. */
export function showRow(
  { name, refunds }: Scenario,
  naive: BillingTruth,
  played: Played,
  broken: readonly string[],
  paint: Paint,
): string {
  const meant = sumOf(refunds);
  const cell = (sumCents: number): string =>
    paint(sumCents === meant ? 'green' : 'red', money(sumCents).padStart(8));
  const verdict = broken.length === 0 ? paint('green', '✓') : paint('red', broken.join('; '));
  return `  ${name.padEnd(21)}${money(meant).padStart(8)}  ${cell(sumOf(naive.refunds))}  ${cell(sumOf(played.refunds))}  ${verdict}`;
}

/** The head of that table. */
export function showRowHead(paint: Paint): string {
  const names = `${'refunded at billing'.padEnd(21)}${'meant'.padStart(8)}  ${'today'.padStart(8)}  ${'forthright'.padStart(8)}`;
  return `\n${paint('bold', `  ${names}`)}`;
}

function sayRefunds(refunds: readonly number[]): string {
  if (refunds.length === 0) return 'no refund';
  const list = refunds.length > 1 ? ` (${refunds.map(money).join(' + ')})` : '';
  return `${refunds.length} refund${refunds.length > 1 ? 's' : ''}, ${money(sumOf(refunds))}${list}`;
}

function sumOf(refunds: readonly number[]): number {
  return refunds.reduce((sum, cents) => sum + cents, 0);
}

function colourOf(told: string): Colour {
  if (/^(ok|already_done)/.test(told)) return 'green';
  return /^(unknown|skipped|dispatched|claimed)/.test(told) ? 'yellow' : 'red';
}

const longestText = 200;

function short(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n              ');
}
