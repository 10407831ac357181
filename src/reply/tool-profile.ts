import type { Action } from './actions.ts';
import { inflect } from './inflect.ts';
import type { Lexeme, WordInfo } from './lexicon/compile.ts';
import { languageOf } from './lexicon/languages.ts';
import type { ReplyTool } from './types.ts';

/** What a tool does, as far as its name, its description and its host tell. */
export interface ToolProfile {
  readonly actions: ReadonlySet<Action>;
  /** Words for what it works on: `order`, `baggages`. */
  readonly nouns: ReadonlySet<string>;
  /** Those of them that are parts of a record: `address`, `items`. */
  readonly parts: ReadonlySet<string>;
  readonly reads: boolean;
  /** Words that no lexicon has, by word. */
  readonly words: ReadonlyMap<string, WordInfo>;
}

const readingVerbs = new Set(
  'get list find search look lookup fetch read check calculate compute think retrieve query view show describe count validate verify estimate preview plan summarize browse inspect is has whoami status ping poll quote compare analyze analyse explain'.split(
    ' ',
  ),
);

const mostNames = 2_000;
const longestName = 64;
const splitNames = new Map<string, readonly string[]>();

/** Reads a name as words: `refundOrder`, `refund_order` and `orders.refund` alike. */
export function nameWords(name: string): readonly string[] {
  if (name.length > longestName) return splitName(name.slice(0, 400));
  // The names of fields come again with every record: a bounded memory of them saves most of the work.
  const known = splitNames.get(name);
  if (known) return known;
  const words = splitName(name);
  if (splitNames.size >= mostNames) splitNames.clear();
  splitNames.set(name, words);
  return words;
}

function splitName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** What a tool does, by its name and what else is known of it. `language` is the reply's. */
export function profileOf(
  name: string,
  known: ReplyTool | undefined,
  language: string,
): ToolProfile {
  const words = nameWords(name);
  const actions = new Set<Action>();
  const own = new Map<string, WordInfo>();
  const effect = known?.effect;
  const reads = effect ? effect === 'read' : readingVerbs.has(words[0] ?? '');
  for (const action of known?.actions ?? []) actions.add(action as Action);
  addNameActions(words, actions, own, reads);
  if (known?.description) addDescription(known.description, actions);
  addVerbs(name, known, language, actions, own);
  if (actions.size === 0) actions.add('any');
  return {
    actions,
    nouns: nounsOf(words, known?.description),
    parts: new Set(words.filter((word) => englishInfo(word).roles.has('part'))),
    reads,
    words: own,
  };
}

function addNameActions(
  words: readonly string[],
  actions: Set<Action>,
  own: Map<string, WordInfo>,
  reads: boolean,
): void {
  const infos = words.map(englishInfo);
  const firstVerb = infos.findIndex(({ base }) => base !== undefined);
  const leadsLight = infos[0]?.light === 'base' || infos[0]?.base === 'create';
  const nouns = infos.slice(leadsLight ? 1 : 0).flatMap(({ noun }) => (noun ? [noun] : []));
  if (leadsLight && nouns.length > 0) {
    for (const noun of nouns) actions.add(noun);
    if (infos[0]?.base) actions.add(infos[0].base);
    return;
  }
  if (firstVerb >= 0) {
    const first = infos[firstVerb] as WordInfo;
    actions.add(first.base as Action);
    // "order_cancel": a word that names a thing as well leaves the verb to a later one.
    if (first.thing) for (const { base, thing } of infos) if (base && !thing) actions.add(base);
    return;
  }
  if (nouns.length > 0) {
    for (const noun of nouns) actions.add(noun);
    return;
  }
  const verb = words[0];
  if (verb && !reads && !leadsLight && !infos[0]?.thing) addOwnVerb(verb, actions, own);
}

/** A verb that the lexicon does not have becomes an action by itself. */
function addOwnVerb(verb: string, actions: Set<Action>, own: Map<string, WordInfo>): void {
  const action: Action = `tool:${verb}`;
  const { done, gerund } = inflect(verb);
  actions.add(action);
  for (const form of done) own.set(form, { roles: none, done: action });
  own.set(verb, { roles: none, base: action });
  own.set(gerund, { roles: none, base: action });
}

const none: WordInfo['roles'] = new Set();

function englishInfo(word: string): WordInfo {
  return languageOf('en')?.words.get(word) ?? { roles: none };
}

/** The first verb of a description says what the tool does: `Refund part or all of an order.` */
function addDescription(description: string, actions: Set<Action>): void {
  for (const word of nameWords(description.slice(0, 80)).slice(0, 3)) {
    const { base, thing } = englishInfo(word.replace(/(?<=[a-z]{3})s$/, ''));
    if (base && !thing) {
      actions.add(base);
      return;
    }
  }
}

function addVerbs(
  name: string,
  known: ReplyTool | undefined,
  language: string,
  actions: Set<Action>,
  own: Map<string, WordInfo>,
): void {
  const verbs = known?.verbs?.[language] ?? [];
  if (verbs.length === 0) return;
  const action: Action = `tool:${name}`;
  actions.add(action);
  for (const { done, base, nouns } of verbs) {
    for (const form of done) {
      const meant = languageOf(language)?.words.get(form.toLowerCase())?.done;
      // A word that the lexicon has keeps its meaning there, and the tool takes that meaning on.
      if (meant) actions.add(meant);
      own.set(form.toLowerCase(), { roles: none, done: action, past: action });
    }
    for (const form of base ?? []) own.set(form.toLowerCase(), { roles: none, base: action });
    for (const form of nouns ?? []) own.set(form.toLowerCase(), { roles: none, noun: action });
  }
}

const shortestNoun = 3;

/** Whether a word names a part of a record by itself: `address`. */
export function isPart(word: string): boolean {
  return englishInfo(word).roles.has('part');
}

function nounsOf(words: readonly string[], description: string | undefined): ReadonlySet<string> {
  const nouns = new Set<string>();
  const described = description ? nameWords(description.slice(0, 200)) : [];
  for (const word of [...words, ...described]) {
    const { base, light, roles } = englishInfo(word);
    const named = roles.has('part') || roles.has('idCue');
    if (word.length < shortestNoun || light || (roles.size > 0 && !named)) continue;
    if (base && word === words[0]) continue;
    nouns.add(word);
  }
  return nouns;
}

/** Whether a word of a reply names one of a tool's things: `bags` names `baggages`. */
export function namesThing(lexeme: Lexeme, nouns: ReadonlySet<string>): boolean {
  if (lexeme.kind !== 'word' || lexeme.text.length < shortestNoun) return false;
  const word = singular(lexeme.text);
  for (const noun of nouns) {
    const other = singular(noun);
    if (other === word) return true;
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    if (short.length >= shortestNoun && long.startsWith(short)) return true;
  }
  return false;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}
