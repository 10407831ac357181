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
  for (const code of readableLanguages) {
    const language = languageOf(code) as Language;
    const score = scoreOf(words, language);
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

/** Frequent words and words for actions tell a language best; any other that it knows tells a little. */
function scoreOf(words: readonly Token[], language: Language): number {
  let score = 0;
  for (const { text } of words) {
    const info = language.words.get(text);
    const acts = info?.done ?? info?.past ?? info?.noun ?? info?.light ?? info?.thing;
    if (language.frequent.has(text) || acts || info?.roles.has('done')) score += 2;
    else if (info) score += 1;
  }
  return score;
}

/** Scripts that none of the lexicons is written in. */
function isForeign(raw: string): boolean {
  const point = raw.codePointAt(0) ?? 0;
  return point > 0x24f && !(point >= 0x1e00 && point <= 0x1eff);
}
