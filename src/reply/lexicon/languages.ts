import { compileLexicon, type Language } from './compile.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import type { Lexicon } from './lexicon.ts';
import { dutch } from './nl.ts';
import { portuguese } from './pt.ts';

const lexicons: readonly Lexicon[] = [english, german, french, spanish, portuguese, italian, dutch];

const compiled = new Map<string, Language>();

/** The codes of the languages that can be read. */
export const readableLanguages: readonly string[] = lexicons.map(({ language }) => language);

/** A language by its code, a region left out of account (`pt-BR` is `pt`); undefined if it cannot be read. */
export function languageOf(code: string): Language | undefined {
  const primary = code.toLowerCase().split(/[-_]/)[0] as string;
  const known = compiled.get(primary);
  if (known) return known;
  const lexicon = lexicons.find(({ language }) => language === primary);
  if (!lexicon) return undefined;
  const fresh = compileLexicon(lexicon);
  compiled.set(primary, fresh);
  return fresh;
}
