import { correctionOf, type Wording } from './correction.ts';
import type { Objection } from './objection.ts';

/** What is true of everything that was objected to: one sentence, or an opening and a list. */
export function summaryOf(
  judged: readonly { readonly objections: readonly Objection[] }[],
  wording: Wording,
): string {
  const sentences = new Set<string>();
  for (const { objections } of judged) {
    for (const objection of objections) sentences.add(correctionOf(objection, wording));
  }
  const lines = [...sentences];
  if (lines.length < 2) return lines.join('');
  return [wording.language.writing.opening, '', ...lines.map((line) => `- ${line}`)].join('\n');
}
