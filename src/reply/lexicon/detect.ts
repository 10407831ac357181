import type { Token } from '../tokens.ts';
import type { Language } from './compile.ts';
import { languageOf, readableLanguages } from './languages.ts';

const mostTokens = 400;
/** So many words without a single one that a language knows are another language's. */
const enoughWords = 6;

/**
 * The language of a text by its frequent words and its words for actions; `undefined` where it is
 * long enough to tell and none fits, the fallback where it is too short.
 */
export function detectLanguage(
  tokens: readonly Token[],
  fallback: Language,
): { readonly language: Language | undefined; readonly sure: boolean } {
  const words = tokens.slice(0, mostTokens).filter(({ kind }) => kind === 'word');
  let best: Language = fallback;
  let most = 0;
  const scores = scoresOf(words);
  for (const [at, code] of readableLanguages.entries()) {
    const language = languageOf(code) as Language;
    const score = scores[at] ?? 0;
    if (score > most || (score === most && score > 0 && language === fallback)) {
      best = language;
      most = score;
    }
  }
  const foreign = words.filter(({ raw }) => isForeign(raw)).length;
  const known = words.filter(({ text }) => best.words.has(text) || best.frequent.has(text)).length;
  const few = known * 5 < words.length && words.length >= enoughWords;
  if (foreign * 2 > words.length || few) return { language: undefined, sure: true };
  return { language: best, sure: most >= 8 };
}

/** What each readable language is told by these words, in their order. */
function scoresOf(words: readonly Token[]): readonly number[] {
  telling ??= tellingWords();
  const scores = readableLanguages.map(() => 0);
  for (const { text } of words) {
    const told = telling.get(text);
    if (!told) continue;
    for (const [at, score] of told) scores[at] = (scores[at] as number) + score;
  }
  return scores;
}

type Told = [language: number, score: number];

/** What every word tells of each language: one look-up for all of them. */
let telling: ReadonlyMap<string, readonly Told[]> | undefined;

function tellingWords(): ReadonlyMap<string, readonly Told[]> {
  const all = new Map<string, Told[]>();
  for (const [at, code] of readableLanguages.entries()) {
    const language = languageOf(code) as Language;
    for (const word of new Set([...language.words.keys(), ...language.frequent])) {
      const told = all.get(word) ?? [];
      told.push([at, scoreOf(word, language)]);
      all.set(word, told);
    }
  }
  return all;
}

/** Frequent words and words for actions tell a language best; any other that it knows tells a little. */
function scoreOf(word: string, language: Language): number {
  const info = language.words.get(word);
  const acts = info?.done ?? info?.past ?? info?.noun ?? info?.light ?? info?.thing;
  if (language.frequent.has(word) || acts || info?.roles.has('done')) return 2;
  return info ? 1 : 0;
}

/** Scripts that none of the lexicons is written in. */
function isForeign(raw: string): boolean {
  const point = raw.codePointAt(0) ?? 0;
  return point > 0x24f && !(point >= 0x1e00 && point <= 0x1eff);
}
