/** How many of a kind were found, and the texts that went the other way. */
export interface Tally {
  found: number;
  of: number;
  readonly missed: string[];
}

/** Several tallies as one. */
export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (total, { found, of }) => ({ found: total.found + found, of: total.of + of, missed: [] }),
    tally(),
  );
}

/** An empty tally. */
export function tally(): Tally {
  return { found: 0, of: 0, missed: [] };
}

/** One line of a report: the count, the share and its interval of 95 %. */
export function row(name: string, { found, of }: Tally): string {
  return `  ${name.padEnd(34)} ${String(found).padStart(4)} of ${String(of).padStart(4)}   ${percent(found, of).padStart(6)}   95 %: ${interval(found, of)}`;
}

/** A share as it is printed. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Wilson's interval for a proportion. */
export function interval(part: number, whole: number): string {
  if (whole === 0) return '–';
  const z = 1.96;
  const p = part / whole;
  const centre = (p + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half =
    (z / (1 + (z * z) / whole)) * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole));
  return `${(100 * Math.max(0, centre - half)).toFixed(1)}–${(100 * Math.min(1, centre + half)).toFixed(1)} %`;
}
