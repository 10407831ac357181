import type { Timing } from './measure.ts';
import type { Finding, Measured } from './row.ts';

/** What is kept of a run. */
export interface Kept {
  /** The machine it ran on, in words. */
  readonly machine: string;
  readonly rows: Readonly<Record<string, Measured>>;
}

/** The timings of a row, for a terminal. */
export function showTimings(timings: Readonly<Record<string, readonly Timing[]>>): string {
  return Object.entries(timings)
    .map(([name, list]) => `  ${name}\n${list.map(showTiming).join('')}`)
    .join('');
}

function showTiming({ name, medianUs, spreadUs, ratio }: Timing): string {
  const [low, high] = spreadUs.map(micros);
  const spread = `(${low} to ${high})`;
  return `    ${name.padEnd(34)}${micros(medianUs).padStart(12)} µs ${spread.padEnd(26)} ${ratio.toFixed(2)} ×\n`;
}

/** What a row found, for a terminal. */
export function showFindings({ findings, left = [] }: Measured): string {
  const found = findings.map(
    ({ isMet, work, ours, beside, value, aim }) =>
      `  ${isMet ? 'met   ' : 'MISSED'} ${work}: ${ours} beside ${beside}: ${figure(value)} (aim: ${aim})\n`,
  );
  return [...found, ...left.map((why) => `  left out: ${why}\n`)].join('');
}

const begins = '<!-- The rows below are written by npm run bench. -->';
const ends = '<!-- Up to here. -->';

/** The page with its table as it was measured; throws where the page has no place for it. */
export function writtenAnew(page: string, { machine, rows }: Kept): string {
  const from = page.indexOf(begins);
  const to = page.indexOf(ends);
  if (from < 0 || to < from) throw new Error('docs/performance.md has no place for the table');
  const measured = Object.values(rows);
  const lines = measured.flatMap(({ findings }) => findings.map(tableRow));
  const left = measured.flatMap(({ left: why = [] }) => why).map((why) => `\nLeft out: ${why}\n`);
  const table = ['| work | ours | beside | seen | aim | |', '|---|---|---|---|---|---|', ...lines];
  const middle = [`Measured on ${machine}.`, '', ...table, ...left, ''].join('\n');
  return `${page.slice(0, from)}${begins}\n\n${middle}\n${page.slice(to)}`;
}

function tableRow({ work, ours, beside, value, aim, isMet }: Finding): string {
  return `| ${work} | ${ours} | ${beside} | ${figure(value)} | ${aim} | ${isMet ? 'met' : '**missed**'} |`;
}

function micros(us: number): string {
  return us >= 1000 ? Math.round(us).toLocaleString('en') : us.toPrecision(3);
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
