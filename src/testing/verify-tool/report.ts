import { type FindingCode, findingKinds, type ToolFinding } from './findings.ts';

/** What was tried, and what became of it. */
export interface TriedScenario {
  readonly name: string;
  /** `not_tried` says why in {@link why}. */
  readonly came: 'good' | 'found' | 'not_tried';
  readonly why?: string;
}

/** Which promises a tool's author broke, and how to mend each: plain data, and the same as text. */
export interface ToolReport {
  readonly tool: string;
  /** Whether nothing is broken; there may be advice. */
  readonly ok: boolean;
  readonly findings: readonly ToolFinding[];
  readonly scenarios: readonly TriedScenario[];
  /** All of that, to be printed. */
  readonly text: string;
}

/** One sight of something that is wrong. */
export interface Seen {
  readonly code: FindingCode;
  readonly scenario: string;
  readonly detail: string;
}

/** What follows from other findings, and says nothing new beside them. */
const consequences: { readonly [Code in FindingCode]?: readonly FindingCode[] } = {
  // A remote system that is asked by key does not find what carried none.
  reconcile_lies: ['sends_before_mark', 'wrong_wire_key'],
  loses_late_answer: ['sends_before_mark', 'swallows_answer', 'says_failed_after_send'],
  retries_without_key: ['sends_twice'],
};

/** One finding for each code, in the order in which they showed; what only follows is left out. */
export function findingsFrom(seen: readonly Seen[]): readonly ToolFinding[] {
  const codes = [...new Set(seen.map(({ code }) => code))];
  const isBroken = (code: FindingCode): boolean => findingKinds[code].severity === 'broken';
  const follows = (code: FindingCode): boolean =>
    code === 'effect_doubled'
      ? codes.some((other) => other !== code && isBroken(other))
      : (consequences[code] ?? []).some((cause) => codes.includes(cause));
  return codes
    .filter((code) => !follows(code))
    .map((code) => ({
      code,
      ...findingKinds[code],
      seen: seen
        .filter((one) => one.code === code)
        .map(({ scenario, detail }) => ({ scenario, detail })),
    }));
}

/** The report as text, a finding a paragraph. */
export function reportText(report: Omit<ToolReport, 'text'>): string {
  const { tool, findings, scenarios } = report;
  const tried = scenarios.filter(({ came }) => came !== 'not_tried');
  const broken = findings.filter(({ severity }) => severity === 'broken').length;
  const sum = broken === 0 ? 'nothing is broken' : `${broken} broken`;
  const lines = [`${tool}: ${sum}, in ${tried.length} scenarios.`];
  for (const { code, severity, what, mend, seen } of findings) {
    lines.push('', `${severity === 'broken' ? 'BROKEN' : 'ADVICE'} ${code}`, `  ${what}`);
    lines.push(`  Mend: ${mend}`);
    for (const detail of new Set(seen.map((one) => one.detail))) {
      const where = seen.filter((one) => one.detail === detail).map(({ scenario }) => scenario);
      lines.push(`  Seen where ${where.join('; where ')}: ${detail}`);
    }
  }
  const left = scenarios.filter(({ came }) => came === 'not_tried');
  if (left.length > 0) lines.push('', 'Not tried:');
  lines.push(...left.map(({ name, why }) => `  ${name}: ${why ?? ''}`));
  return lines.join('\n');
}
