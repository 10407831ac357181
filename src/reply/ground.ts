import { type Facts, factsOf, profilesOf } from './facts.ts';
import type { Language, WordInfo } from './lexicon/compile.ts';
import { detectLanguage } from './lexicon/detect.ts';
import { languageOf } from './lexicon/languages.ts';
import { tokenize } from './tokens.ts';
import type { ReplyEntry, ReplyOptions } from './types.ts';

/** What a reply is held against, made once for a set of entries. */
export interface Ground {
  readonly language: Language;
  readonly options: ReplyOptions;
  /** Words that the tools bring along. */
  readonly own: ReadonlyMap<string, WordInfo>;
  /** Made when it is first asked for: most replies claim nothing. */
  facts(): Facts;
}

/** What entries and options say, for replies in a language. */
export function groundOf(
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
  language: Language,
): Ground {
  const profiles = profilesOf(entries, options, language.language);
  let facts: Facts | undefined;
  return {
    language,
    options,
    own: ownWords(profiles.values()),
    facts() {
      facts ??= factsOf(entries, options, profiles, factLanguages(language));
      return facts;
    },
  };
}

/** So much of a reply, in UTF-16 units, its language is told by. */
export const detectedLength = 1_000;

/** The language that a reply is read in; undefined where it is one that cannot be read. */
export function languageFor(reply: string, options: ReplyOptions): Language | undefined {
  if (options.language !== undefined) return languageOf(options.language);
  return detectLanguage(tokenize(reply.slice(0, detectedLength)), languageOf('en') as Language)
    .language;
}

/** Records are mostly written in English, whatever the language of the reply. */
function factLanguages(language: Language): readonly Language[] {
  const english = languageOf('en') as Language;
  return language === english ? [english] : [english, language];
}

/** The words that tools bring along. */
function ownWords(
  profiles: Iterable<{ readonly words: ReadonlyMap<string, WordInfo> }>,
): ReadonlyMap<string, WordInfo> {
  const own = new Map<string, WordInfo>();
  for (const { words } of profiles) for (const [word, info] of words) own.set(word, info);
  return own;
}
