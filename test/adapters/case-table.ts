import { type AdapterCase, adapterCaseTable } from '../../src/testing/adapter-cases/cases.ts';
import type { AdapterHarness, Observed } from '../../src/testing/adapter-cases/harness.ts';
import { codesOf, judgeCase, observePlain } from '../../src/testing/adapter-cases/observe.ts';

/** The rows of docs/frameworks.md for one framework, from runs of each case without and with forthright. */
async function caseRows(harness: AdapterHarness): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const one of adapterCaseTable) {
    const plain = await observePlain(harness, one);
    const judged = await judgeCase(harness, one, false);
    const cells = [
      one.name.replaceAll('_', '\\_'),
      sent(one),
      sayPlain(one, plain),
      sayOurs(one, judged),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
  }
  return rows;
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
    told.length === 0 ? '' : `told ${codesOf(told).map(code).join(', ')}`,
    effects === 0 ? '' : `${effects} ${effects === 1 ? 'effect' : 'effects'}`,
    hasLeft ? `the run is aborted and the record says ${(one.record ?? []).map(code).join()}` : '',
    one.codes?.length === 0 && reply !== one.answers[0]?.text ? 'the user reads it corrected' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** The beginning of a text, on one line. */
function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  const short = line.length > 90 ? `${line.slice(0, 90)}…` : line;
  return `“${short.replaceAll('<', '&lt;').replaceAll('_', '\\_')}”`;
}

const start = '<!-- The rows below are written by scripts/adapter-table.ts. -->';
const end = '<!-- Up to here. -->';

/** The page with its rows written anew. */
export async function writtenAnew(page: string, harness: AdapterHarness): Promise<string> {
  const [before = ''] = page.split(start);
  const [, after = ''] = page.split(end);
  const head = ['| | the model sends | by ai 7 alone | with forthright |', '|---|---|---|---|'];
  const rows = [...head, ...(await caseRows(harness))];
  return [before + start, '', ...rows, '', end + after].join('\n');
}
