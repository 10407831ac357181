import type { Action, KnownAction } from './actions.ts';
import { fits } from './actions.ts';
import type { EntryFacts } from './facts.ts';
import type { Ground } from './ground.ts';
import type { Language } from './lexicon/compile.ts';
import type { Objection } from './objection.ts';
import type { ReplyOptions } from './types.ts';

/** What a correction may take over from the reply that it stands in for. */
export interface Wording {
  readonly language: Language;
  readonly options: ReplyOptions;
  /** The reply: only identifiers that it shows itself, or that are short, are written. */
  readonly reply: string;
  /** The currency sign that the reply uses, if it uses one. */
  readonly symbol: string;
  /** How identifiers of entries are written, kept so that the reply is searched once for each. */
  readonly shownIds: Map<EntryFacts, string>;
}

/** The wording of corrections of a reply. */
export function wordingFor({ language, options }: Ground, reply: string): Wording {
  let symbol: string | undefined;
  return {
    language,
    options,
    reply,
    get symbol() {
      symbol ??= symbolIn(reply);
      return symbol;
    },
    shownIds: new Map(),
  };
}

/** A sentence that says what is true in place of what was claimed. */
export function correctionOf(objection: Objection, wording: Wording): string {
  const { writing } = wording.language;
  const { entry } = objection;
  if (!entry) return fill(writing.never, objection, wording);
  if (entry.proven) return fill(writing.ok, objection, wording);
  const { outcome } = entry.entry;
  if (outcome === 'failed') return fill(writing.failed, objection, wording);
  return fill(outcome === 'skipped' ? writing.skipped : writing.unknown, objection, wording);
}

function fill(template: string, objection: Objection, wording: Wording): string {
  const details = detailsOf(objection, wording);
  const name = nameOf(objection, wording);
  const leads = template.startsWith('{action}');
  const action = leads ? capital(name) : name;
  const attached =
    details === '' ? '' : wording.language.writing.details.replace('{}', () => details);
  return template.replace('{action}', () => action).replace('{details}', () => attached);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The action as the customer may read it: a label of the host's, or the language's own name for it. */
function nameOf({ entry, action }: Objection, { language, options }: Wording): string {
  const { names, writing } = language;
  const named = (one: Action): string | undefined => names[one as KnownAction];
  if (!entry) return named(action) ?? writing.action;
  const label = options.tools?.[entry.entry.tool]?.labels?.[language.language];
  if (label) return label;
  const { actions } = entry.profile;
  if (fits(action, actions) === 2 && named(action)) return named(action) as string;
  for (const performed of actions) {
    const name = named(performed);
    if (name) return name;
  }
  return writing.action;
}

const shortId = 12;

function detailsOf(objection: Objection, wording: Wording): string {
  const { entry, entity, claim } = objection;
  const mistaken = claim === 'wrong_amount' || claim === 'wrong_date' || claim === 'wrong_entity';
  const id = entry ? entryId(entry, wording) : mistaken ? '' : (entity ?? '');
  const amount = entry ? amountText(entry, wording) : '';
  return [id, amount].filter((text) => text !== '').join(', ');
}

function entryId(entry: EntryFacts, wording: Wording): string {
  const known = wording.shownIds.get(entry);
  if (known !== undefined) return known;
  const id = writtenId(entry, wording);
  wording.shownIds.set(entry, id);
  return id;
}

function writtenId({ targetRaw }: EntryFacts, { reply }: Wording): string {
  if (targetRaw === '') return '';
  const bare = targetRaw.startsWith('#') ? targetRaw.slice(1) : targetRaw;
  if (reply.includes(`#${bare}`)) return `#${bare}`;
  if (reply.includes(bare)) return bare;
  return targetRaw.length <= shortId && !targetRaw.includes('_') ? targetRaw : '';
}

function amountText({ mainAmount, currency }: EntryFacts, wording: Wording): string {
  if (mainAmount === undefined) return '';
  const { language, symbol } = wording;
  const sign = symbol || signs[currency.toUpperCase()];
  if (!sign) return '';
  const { decimal, currencyFirst } = language.writing;
  const figure = (mainAmount / 100).toFixed(2).replace('.', decimal);
  return currencyFirst ? `${sign}${figure}` : `${figure} ${sign}`;
}

const signs: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
};

/** The first currency sign in a reply. */
function symbolIn(reply: string): string {
  return /[$€£¥₹]/.exec(reply)?.[0] ?? '';
}
