import { movesMoney } from './actions.ts';
import type { EntryFacts, Facts } from './facts.ts';
import type { AmountMention, DateMention, IdMention } from './mentions.ts';
import type { Objection, Said } from './objection.ts';
import { sameShape } from './shapes.ts';
import type { Statement } from './statement.ts';

/** Sums of money that the reply has named so far, in hundredths. */
export type NamedAmounts = readonly AmountMention[];

/**
 * Sums of money and days of a statement that stands, and are not those of its entries. Where the
 * input itself names a sum, a statement that moves money has to name it; else every sum has to
 * occur in entries or reads, or to be the sum or the difference of two that do.
 */
export function differencesIn(
  said: Said,
  entries: readonly EntryFacts[],
  facts: Facts,
  named: () => NamedAmounts,
): readonly Objection[] {
  const proven = entries.filter((entry) => entry.proven);
  const entry = proven.at(-1);
  if (!entry) return [];
  const { statement, mentions } = said;
  const sums = mentions.amounts.filter(({ bound }) => !bound);
  const amount = wrongAmount(statement, sums, proven, facts, named);
  const date = wrongDate(mentions.dates, proven, facts);
  const id = mentions.ids.find(
    (mention) => isAnothers(mention, proven, facts) || isUnheardOf(mention, proven, facts),
  );
  return [
    ...(id ? [differs('wrong_entity', id.raw, statement.action, entry)] : []),
    ...(amount ? [differs('wrong_amount', amount.raw, statement.action, entry)] : []),
    ...(date ? [differs('wrong_date', date.raw, statement.action, entry)] : []),
  ];
}

/** The same for a sentence that only gives details of what was said before. */
export function differencesInDetails(
  mentions: Said['mentions'],
  entries: readonly EntryFacts[],
  facts: Facts,
  named: () => NamedAmounts,
): readonly Objection[] {
  const proven = entries.filter((entry) => entry.proven);
  const entry = proven.at(-1);
  if (!entry || !facts.readsGiven) return [];
  const action = [...entry.profile.actions][0] ?? 'any';
  const amount = mentions.amounts.find(
    (mention) => !mention.bound && !isKnown(mention, facts, named),
  );
  const id = mentions.ids.find(
    (mention) => isMistaken(mention, proven, facts) || isAnothers(mention, proven, facts),
  );
  return [
    ...(amount ? [differs('wrong_amount', amount.raw, action, entry)] : []),
    ...(id ? [differs('wrong_entity', id.raw, action, entry)] : []),
  ];
}

/** An identifier that nobody has seen, of the make of one that the write has. */
function isMistaken({ id }: IdMention, entries: readonly EntryFacts[], facts: Facts): boolean {
  if (facts.ids.has(id)) return false;
  return entries.some(({ targets, answered }) =>
    [...targets, ...answered].some((known) => sameShape(known, id)),
  );
}

/** An identifier that nobody has seen, of the make of one that the write was given beside its target. */
function isUnheardOf({ id }: IdMention, entries: readonly EntryFacts[], facts: Facts): boolean {
  if (facts.ids.has(id)) return false;
  return entries.some(({ target, targets }) =>
    [...targets].some((known) => known !== target && sameShape(known, id)),
  );
}

/** An identifier that was seen, of the make of one that the write was given, and is not one of them. */
function isAnothers({ id }: IdMention, entries: readonly EntryFacts[], facts: Facts): boolean {
  if (!facts.ids.has(id)) return false;
  const others = entries.flatMap(({ target, targets }) =>
    [...targets].filter((one) => one !== target),
  );
  if (!others.some((other) => sameShape(other, id))) return false;
  return !facts.entries.some(
    ({ target, targets, answered }) =>
      targets.has(id) || answered.has(id) || facts.recordIds.get(target)?.has(id),
  );
}

function differs(
  claim: 'wrong_amount' | 'wrong_date' | 'wrong_entity',
  entity: string,
  action: Objection['action'],
  entry: EntryFacts,
): Objection {
  const what = { wrong_amount: 'a sum', wrong_date: 'a day', wrong_entity: 'an identifier' }[claim];
  return {
    code: 'differs',
    claim,
    action,
    entity,
    entry,
    reason: `The reply names ${what} that the write does not have.`,
  };
}

function wrongAmount(
  { action }: Statement,
  amounts: readonly AmountMention[],
  entries: readonly EntryFacts[],
  facts: Facts,
  named: () => NamedAmounts,
): AmountMention | undefined {
  if (amounts.length === 0) return undefined;
  const own = entries.some(({ inputAmounts }) => inputAmounts.size > 0);
  if (own && movesMoney.has(action)) {
    const right = amounts.some((mention) => isOwn(mention, entries, facts));
    return right ? undefined : amounts[0];
  }
  if (!facts.readsGiven) return undefined;
  return amounts.find((mention) => !isKnown(mention, facts, named));
}

/** Whether it is a sum that the entries themselves name, or the total of several entries. */
function isOwn({ readings }: AmountMention, entries: readonly EntryFacts[], facts: Facts): boolean {
  const totals = totalsOf(facts.entries.filter((entry) => entry.proven));
  return readings.some(
    (reading) =>
      totals.has(reading) ||
      entries.some(
        ({ inputAmounts, answerAmounts }) =>
          inputAmounts.has(reading) || answerAmounts.has(reading),
      ),
  );
}

function totalsOf(entries: readonly EntryFacts[]): ReadonlySet<number> {
  let whole = 0;
  let minor = 0;
  for (const { inputAmounts } of entries) {
    const amounts = [...inputAmounts];
    if (amounts.length === 0) continue;
    whole += Math.max(...amounts);
    minor += Math.min(...amounts);
  }
  return new Set([whole, minor]);
}

function isKnown(mention: AmountMention, facts: Facts, named: () => NamedAmounts): boolean {
  const { readings } = mention;
  if (readings.some((reading) => facts.amounts.has(reading))) return true;
  if (readings.some((reading) => isTotal(reading, facts.prices) || facts.totals().has(reading))) {
    return true;
  }
  const others = new Set(
    named()
      .filter((other) => other.at !== mention.at || other.raw !== mention.raw)
      .flatMap((other) => other.readings),
  );
  for (const amount of [...facts.computed].slice(-mostSummed)) others.add(amount);
  if (readings.some((reading) => addsUp(reading, others))) return true;
  const sums = sumsOf(others);
  if (readings.some((reading) => sums.has(reading))) return true;
  return readings.some((reading) => follows(reading, facts));
}

/** Whether it follows from what a write names: that sum itself, or a price more or less by it. */
function follows(reading: number, { entries, prices }: Facts): boolean {
  return entries.some(
    ({ proven, itemSums, worth }) =>
      proven &&
      [...itemSums, ...(worth === undefined ? [] : [worth])].some(
        (sum) =>
          sum === reading ||
          (sum !== 0 && (prices.has(Math.abs(reading - sum)) || prices.has(reading + sum))),
      ),
  );
}

/** Whether it is the sum or the difference of two others that the reply names. */
function addsUp(reading: number, others: ReadonlySet<number>): boolean {
  for (const other of others) {
    const rest = Math.abs(reading - other);
    if (other !== reading && rest !== other && others.has(rest)) return true;
  }
  return false;
}

const mostSummed = 10;

/** All sums of the last few sums that were named: a total over some of what is listed. */
function sumsOf(amounts: ReadonlySet<number>): ReadonlySet<number> {
  const sums = new Set([0]);
  for (const amount of [...amounts].filter((one) => one !== 0).slice(-mostSummed)) {
    for (const sum of [...sums]) sums.add(sum + amount);
  }
  for (const amount of [0, ...amounts]) sums.delete(amount);
  return sums;
}

const mostPeople = 9;

/** A price for each of several people or items. */
function isTotal(reading: number, amounts: ReadonlySet<number>): boolean {
  for (let people = 2; people <= mostPeople; people += 1) {
    if (reading % people === 0 && amounts.has(reading / people)) return true;
  }
  return false;
}

function wrongDate(
  dates: readonly DateMention[],
  entries: readonly EntryFacts[],
  facts: Facts,
): DateMention | undefined {
  if (!entries.some(({ inputDays }) => inputDays.size > 0)) return undefined;
  return dates.find(({ readings }) => !readings.some((reading) => facts.days.has(reading)));
}
