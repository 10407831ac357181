import { bringsIntoBeing } from './actions.ts';
import { partsIn } from './candidates.ts';
import type { Facts, PastFact } from './facts.ts';
import type { IdMention } from './mentions.ts';
import type { Context, Said } from './objection.ts';
import { isPart, namesThing } from './tool-profile.ts';

/** Whether a read shows it. */
export function borneOut(
  said: Said,
  facts: Facts,
  context: Context,
  mention: IdMention | null,
): boolean {
  const { statement, mentions } = said;
  const named = mention ? [mention] : mentions.ids.length > 0 ? mentions.ids : context.antecedent;
  const ids = named.map(({ id }) => id).filter((id) => facts.readIds.has(id));
  const { action } = statement;
  if (statement.present && ids.some((id) => facts.readWords.get(id)?.has(wordOf(said))))
    return true;
  if (
    bringsIntoBeing.has(action) &&
    !statement.active &&
    ids.some((id) => facts.readTargets.has(id))
  )
    return true;
  const dated = mentions.dates.some(({ readings }) => readings.some((day) => facts.days.has(day)));
  if (bringsIntoBeing.has(action) && !mention && facts.readIds.size > 0) {
    const paid = action === 'pay' && statement.present;
    if ((dated && statement.narrative) || paid || statement.already || statement.narrative)
      return true;
  }
  const past = facts.past.filter((fact) => mayTell(said, fact));
  const own = mention !== null || mentions.ids.length > 0;
  const told = past.some((fact) => ids.some((id) => fact.ids.has(id)));
  if (told || (own && ids.length > 0)) return told;
  if (past.length === 0 || mention) return false;
  // "Both orders have been delivered": nobody here does that, and a read shows it.
  const seen = bringsIntoBeing.has(action) && !statement.active;
  return statement.already || statement.present || dated || seen;
}

/** "Status: processed": the word itself, as a record may have it. */
function wordOf({ statement, lexemes }: Said): string {
  return lexemes[statement.at]?.text ?? '';
}

/** Whether a past event may be what a statement tells of: of its action, and of no other part. */
function mayTell(said: Said, { action, words }: PastFact): boolean {
  const claimed = said.statement.action;
  if (claimed === 'any') return !bringsIntoBeing.has(action);
  if (claimed !== action) return false;
  if (action !== 'change') return true;
  const parts = partsIn(said);
  if (parts.length === 0) return true;
  const of = words.filter((word) => isPart(word));
  return of.length === 0 || parts.some((part) => namesThing(part, new Set(of)));
}
