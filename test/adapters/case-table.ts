import { fileURLToPath } from 'node:url';
import { type AdapterCase, adapterCaseTable } from '../../src/testing/adapter-cases/cases.ts';
import { type Observed, whyImpossible } from '../../src/testing/adapter-cases/harness.ts';
import { codesOf, judgeCase, observePlain } from '../../src/testing/adapter-cases/observe.ts';
import type { TestedFramework } from './frameworks.ts';

/** What the models of the cases send, as rows. */
export function sentTable(): string {
  const rows = adapterCaseTable.map((one) => row(named(one), sent(one)));
  return ['| case | the model sends |', '|---|---|', ...rows].join('\n');
}

/** The section of one framework, from runs of each case without and with forthright. */
export async function frameworkSection({ title, harness }: TestedFramework): Promise<string> {
  const rows: string[] = [];
  for (const one of adapterCaseTable) {
    const plain = await bothWays(async (isStreamed) =>
      sayPlain(one, await observePlain(harness, one, isStreamed)),
    );
    const ours = await bothWays(async (isStreamed) => {
      const why = whyImpossible(harness, one.name, isStreamed);
      if (why !== undefined) return `**cannot hold**: ${why}`;
      return sayOurs(one, await judgeCase(harness, one, isStreamed));
    });
    rows.push(row(named(one), plain, ours));
  }
  const head = [`| case | by ${title} alone | with forthright |`, '|---|---|---|'];
  return [`### ${title}`, '', ...head, ...rows].join('\n');
}

/** Generated and streamed; said once where both came to the same. */
async function bothWays(say: (isStreamed: boolean) => Promise<string>): Promise<string> {
  const [generated, streamed] = await Promise.all([say(false), say(true)]);
  return generated === streamed ? generated : `${generated}; *streamed*: ${streamed}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function named({ name }: AdapterCase): string {
  return name.replaceAll('_', '\\_');
}

function sent({ answers }: AdapterCase): string {
  const calls = answers.flatMap((answer) => answer.calls ?? []);
  if (calls.length === 0) return quoted(answers[0]?.text ?? '');
  return calls.map(({ name, arguments: text }) => `${name} ${code(text)}`).join(', ');
}

function sayPlain(one: AdapterCase, { told, reply, ranWith, effects, thrown }: Observed): string {
  return [
    ranWith.length === 0 ? '' : `ran with ${ranWith.map((each) => code(json(each))).join(', ')}`,
    told.length === 0 ? '' : `told ${told.map(quoted).join(', ')}`,
    effects === 0 ? '' : `${effects} ${effects === 1 ? 'effect' : 'effects'}`,
    thrown === undefined ? '' : `the run threw ${quoted(String(thrown))}`,
    one.codes?.length === 0 ? `the user reads ${quoted(reply)}` : '',
    thrown === undefined && reply === '' ? 'the run ends without an answer' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function sayOurs(one: AdapterCase, observed: Observed): string {
  const { told, reply, ranWith, effects } = observed;
  const hasLeft = one.codes === undefined;
  return [
    ranWith.length === 0 ? '' : `ran with ${ranWith.map((each) => code(json(each))).join(', ')}`,
    told.length === 0 || hasLeft ? '' : `told ${toldCodes(one, told)}`,
    effects === 0 ? '' : `${effects} ${effects === 1 ? 'effect' : 'effects'}`,
    hasLeft ? `the user is gone and the record says ${(one.record ?? []).map(code).join()}` : '',
    one.codes?.length === 0 && reply !== one.answers[0]?.text ? 'the user reads it corrected' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** Which of two calls of a step is first done is a matter of moments: then both codes are said. */
function toldCodes({ codes, laterCodes }: AdapterCase, told: readonly string[]): string {
  if (laterCodes === undefined) return codesOf(told).map(code).join(', ');
  return [...new Set([...(codes ?? []), ...laterCodes])]
    .map(code)
    .join(' or ')
    .replace(' or ', ', ');
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The beginning of a text, on one line. */
function quoted(text: string): string {
  const here = text.replaceAll(root, '/…/');
  const line = here.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  const short = line.length > 90 ? `${line.slice(0, 90)}…` : line;
  return `“${short.replaceAll('<', '&lt;').replaceAll('_', '\\_')}”`;
}

const start = '<!-- What follows is written by scripts/adapter-table.ts. -->';
const end = '<!-- Up to here. -->';

/** What stands on the page between the marks: the sections, by their headings. */
export function sectionsOf(page: string): readonly string[] {
  const between = page.split(start)[1]?.split(end)[0] ?? '';
  return between
    .trim()
    .split(/\n\n(?=### )/)
    .filter((section) => section !== '');
}

/** The page with these sections between its marks. */
export function withSections(page: string, sections: readonly string[]): string {
  const [before = ''] = page.split(start);
  const [, after = ''] = page.split(end);
  return [before + start, ...sections, end + after].join('\n\n');
}
