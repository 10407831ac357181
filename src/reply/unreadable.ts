import { lastOfEach } from './choose.ts';
import { wordingFor } from './correction.ts';
import type { EntryFacts, Facts } from './facts.ts';
import { groundOf } from './ground.ts';
import type { Language } from './lexicon/compile.ts';
import { languageOf } from './lexicon/languages.ts';
import type { Objection } from './objection.ts';
import { summaryOf } from './summary.ts';
import type { ReplyCheck, ReplyEntry, ReplyOptions } from './types.ts';

const shownLength = 200;

/**
 * The rule for a language that cannot be read: the reply passes if every write is proven to have
 * been done; else the summary of those that are not, in English, stands in its place.
 */
export function unreadable(
  reply: string,
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
): ReplyCheck {
  const language = languageOf('en') as Language;
  const ground = groundOf(entries, options, language);
  const open = openWrites(ground.facts());
  if (open.length === 0) return { verdict: 'pass', findings: [], reply };
  const objections = open.map(objectionTo);
  return {
    verdict: 'corrected',
    findings: objections.map(({ code, claim, entity, reason }, at) => ({
      code,
      claim,
      sentence: reply.slice(0, shownLength),
      start: 0,
      end: reply.length,
      entity,
      tool: open[at]?.entry.tool ?? null,
      entry: open[at]?.index ?? null,
      reason,
    })),
    reply: summaryOf([{ objections }], wordingFor(ground, reply)),
  };
}

/** Writes that are not proven, but for those that were tried again with success. */
export function openWrites({ entries }: Facts): readonly EntryFacts[] {
  return lastOfEach(entries).filter((entry) => !entry.proven);
}

/** What is said of an open write in place of a reply that cannot be read. */
function objectionTo(entry: EntryFacts): Objection {
  return {
    code: 'unreadable',
    claim: 'done',
    action: 'any',
    entity: entry.targetRaw || null,
    entry,
    reason: `The reply is in a language that cannot be read here; the outcome is ${entry.entry.outcome}.`,
  };
}
