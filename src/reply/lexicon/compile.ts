import type { Action, KnownAction } from '../actions.ts';
import type { Token } from '../tokens.ts';
import type { Grammar, Lexicon, Role, Writing } from './lexicon.ts';

/** What is known of a word or a phrase. */
export interface WordInfo {
  readonly roles: ReadonlySet<Role>;
  /** The action whose participle it is. */
  readonly done?: Action | undefined;
  /** The action whose finite past of the first person it is. */
  readonly past?: Action | undefined;
  /** The action that it says was done, helper and all: `went live`. */
  readonly whole?: Action | undefined;
  readonly base?: Action | undefined;
  readonly noun?: Action | undefined;
  /** A thing, and the action that brings it into being. */
  readonly thing?: Action | undefined;
  /** A participle, a past or an infinitive that takes its meaning from a noun. */
  readonly light?: 'done' | 'past' | 'base' | undefined;
  readonly count?: number | undefined;
  readonly month?: number | undefined;
}

/** A token with what its language knows of it; a phrase is one lexeme. */
export interface Lexeme extends Omit<Token, 'kind'> {
  readonly kind: Token['kind'];
  readonly info: WordInfo;
}

/** A lexicon made ready for reading. */
export interface Language {
  readonly language: string;
  readonly words: ReadonlyMap<string, WordInfo>;
  /** Phrases of several words by their first word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  readonly frequent: ReadonlySet<string>;
  readonly names: Readonly<Partial<Record<KnownAction, string>>>;
  readonly grammar: Grammar;
  readonly writing: Writing;
}

interface Phrase {
  readonly words: readonly string[];
  readonly info: WordInfo;
}

const nothingKnown: WordInfo = shaped({ roles: new Set() });

type Draft = { -readonly [K in keyof WordInfo]: WordInfo[K] } & { roles: Set<Role> };

/**
 * The same with every property there, in one order: every word of every sentence is asked for
 * these, and objects of one shape answer several times faster. What is unset is taken from `other`.
 */
function shaped(info: WordInfo, other: WordInfo = info): WordInfo {
  return {
    roles: info.roles,
    done: info.done ?? other.done,
    past: info.past ?? other.past,
    whole: info.whole ?? other.whole,
    base: info.base ?? other.base,
    noun: info.noun ?? other.noun,
    thing: info.thing ?? other.thing,
    light: info.light ?? other.light,
    count: info.count ?? other.count,
    month: info.month ?? other.month,
  };
}

/** Builds the look-up tables of a lexicon. */
export function compileLexicon(lexicon: Lexicon): Language {
  const drafts = new Map<string, Draft>();
  const draft = (phrase: string): Draft => {
    const known = drafts.get(phrase);
    if (known) return known;
    const fresh: Draft = { roles: new Set() };
    drafts.set(phrase, fresh);
    return fresh;
  };
  for (const [role, list] of Object.entries(lexicon.roles) as [Role, string][]) {
    for (const phrase of phrasesOf(list)) draft(phrase).roles.add(role);
  }
  addActions(lexicon, draft);
  addLight(lexicon, draft);
  lexicon.counts.forEach((word, at) => {
    for (const form of word.split('/')) draft(form).count = at + 1;
  });
  lexicon.months.forEach((names, at) => {
    for (const name of names.split('/')) draft(name).month = at + 1;
  });
  return {
    language: lexicon.language,
    ...tables(drafts),
    frequent: new Set(phrasesOf(lexicon.frequent)),
    names: Object.fromEntries(
      Object.entries(lexicon.actions).map(([action, words]) => [action, words.name]),
    ),
    grammar: lexicon.grammar,
    writing: lexicon.writing,
  };
}

/** Splits a list of the lexicon. */
function phrasesOf(list: string | undefined): readonly string[] {
  if (!list) return [];
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

/** All forms of a participle. */
function agree(form: string, grammar: Grammar): readonly string[] {
  const rule = grammar.agreement;
  if (!rule) return [form];
  if (rule.strip !== '' && !form.endsWith(rule.strip)) return [form];
  const stem = form.slice(0, form.length - rule.strip.length);
  return [form, ...rule.endings.map((ending) => stem + ending)];
}

function addActions(lexicon: Lexicon, draft: (phrase: string) => Draft): void {
  for (const [name, words] of Object.entries(lexicon.actions)) {
    const action = name as KnownAction;
    for (const form of phrasesOf(words.done)) {
      for (const agreed of agree(form, lexicon.grammar)) draft(agreed).done ??= action;
    }
    for (const form of phrasesOf(words.past)) draft(form).past ??= action;
    for (const form of phrasesOf(words.whole)) draft(form).whole ??= action;
    for (const form of phrasesOf(words.base)) draft(form).base ??= action;
    for (const form of phrasesOf(words.nouns)) draft(form).noun ??= action;
  }
  for (const [name, list] of Object.entries(lexicon.things)) {
    for (const thing of phrasesOf(list)) draft(thing).thing ??= name as KnownAction;
  }
}

function addLight(lexicon: Lexicon, draft: (phrase: string) => Draft): void {
  for (const form of phrasesOf(lexicon.light)) {
    for (const agreed of agree(form, lexicon.grammar)) draft(agreed).light ??= 'done';
  }
  for (const form of phrasesOf(lexicon.lightPast)) draft(form).light ??= 'past';
  for (const form of phrasesOf(lexicon.lightBase)) draft(form).light ??= 'base';
  for (const role of ['done', 'failing', 'asked'] as const) {
    for (const form of phrasesOf(lexicon.roles[role])) {
      for (const agreed of agree(form, lexicon.grammar)) draft(agreed).roles.add(role);
    }
  }
}

function tables(drafts: ReadonlyMap<string, Draft>): Pick<Language, 'words' | 'phrases'> {
  const words = new Map<string, WordInfo>();
  const phrases = new Map<string, Phrase[]>();
  for (const [phrase, drafted] of drafts) {
    const info = shaped(drafted);
    const parts = phrase.split(' ');
    if (parts.length === 1) {
      words.set(phrase, info);
      continue;
    }
    const first = parts[0] as string;
    const others = phrases.get(first) ?? [];
    others.push({ words: parts, info });
    phrases.set(first, others);
  }
  for (const list of phrases.values()) list.sort((a, b) => b.words.length - a.words.length);
  return { words, phrases };
}

/** Looks every token up, phrases first; `own` holds the words that tools brought along. */
export function lookUp(
  all: readonly Token[],
  language: Language,
  own: ReadonlyMap<string, WordInfo>,
): Lexeme[] {
  const lexemes: Lexeme[] = [];
  const tokens = withoutRegret(all, language);
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const phrase = phraseAt(tokens, at, language);
    if (phrase) {
      const last = tokens[at + phrase.words.length - 1] as Token;
      lexemes.push({
        kind: 'word',
        text: phrase.words.join(' '),
        raw: phrase.words.join(' '),
        start: token.start,
        end: last.end,
        info: phrase.info,
      });
      at += phrase.words.length;
    } else {
      const { kind, text, raw, start, end } = token;
      const info = kind === 'number' ? nothingKnown : infoOf(text, language, own);
      lexemes.push({ kind, text, raw, start, end, info });
      at += 1;
    }
  }
  return lexemes;
}

/** "was unfortunately not able to" is read as "was not able to". */
function withoutRegret(tokens: readonly Token[], { words }: Language): readonly Token[] {
  const regrets = (token: Token): boolean =>
    token.kind === 'word' && (words.get(token.text)?.roles.has('regret') ?? false);
  return tokens.some(regrets) ? tokens.filter((token) => !regrets(token)) : tokens;
}

function phraseAt(tokens: readonly Token[], at: number, language: Language): Phrase | undefined {
  const candidates = language.phrases.get((tokens[at] as Token).text);
  if (!candidates) return undefined;
  for (const candidate of candidates) if (standsAt(candidate, tokens, at)) return candidate;
  return undefined;
}

function standsAt({ words }: Phrase, tokens: readonly Token[], at: number): boolean {
  for (let offset = 1; offset < words.length; offset += 1) {
    if (tokens[at + offset]?.text !== words[offset]) return false;
  }
  return true;
}

function infoOf(word: string, language: Language, own: ReadonlyMap<string, WordInfo>): WordInfo {
  const { words } = language;
  const known =
    words.get(word) ?? (word.includes('-') ? words.get(word.replaceAll('-', '')) : undefined);
  const added = own.size > 0 ? own.get(word) : undefined;
  if (added) return shaped(known ?? added, added);
  return known ?? (language.grammar.compounds ? lastPartOf(word, words) : nothingKnown);
}

const shortestFirst = 3;
const shortestLast = 5;
const longestCompound = 40;

/** What the last part of a compound is: `Tarifänderung` is an `änderung`. */
function lastPartOf(word: string, words: ReadonlyMap<string, WordInfo>): WordInfo {
  if (word.length > longestCompound) return nothingKnown;
  for (let cut = shortestFirst; cut <= word.length - shortestLast; cut += 1) {
    const info = words.get(word.slice(cut));
    if (info?.noun || info?.thing || info?.roles.has('request')) return info;
  }
  return nothingKnown;
}
