import { describe, expect, test } from 'vitest';
import { corpusOf, runCase } from '../../eval/reply/corpus.ts';
import { checkedText, checkReply, type ReplyEntry, readableLanguages } from './index.ts';

const corpora = ['en', 'en-2', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

describe.each(corpora)('the sentences of %s', (corpus) => {
  test.each(corpusOf(corpus))('line $line: $kind $text', (sentence) => {
    const wrong = runCase(sentence).filter(({ expected, actual }) => expected !== actual);
    if (sentence.knownMiss) expect(wrong, 'this holds now: take its % away').not.toEqual([]);
    else expect(wrong).toEqual([]);
  });
});

test('every language that can be read has sentences', () => {
  for (const language of readableLanguages) expect(corpora).toContain(language);
});

test('there are enough of them', () => {
  for (const corpus of corpora) {
    const cases = corpusOf(corpus);
    const silent = cases.filter(({ kind }) => kind === '-').length;
    expect(silent).toBeGreaterThanOrEqual(corpus === 'en' ? 150 : 15);
    expect(cases.length - silent).toBeGreaterThanOrEqual(corpus === 'en' ? 150 : 15);
  }
});

async function* chunksOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

describe.each([1, 7])('as a stream in chunks of %i', (length) => {
  test.each(corpora)('%s shows what the check of the whole text does', async (corpus) => {
    for (const { text, write, reads } of corpusOf(corpus)) {
      for (const outcome of ['ok', 'unknown', 'failed'] as const) {
        const { tool, input, data } = write;
        const entries: ReplyEntry[] = [
          { tool, input, outcome, ...(outcome === 'ok' ? { data } : {}) },
        ];
        let shown = '';
        const source = chunksOf(text, length);
        for await (const piece of checkedText(source, { entries: () => entries, reads })) {
          shown += piece;
        }
        const whole = checkReply(text, entries, { reads });
        expect(whole.verdict === 'pass' ? shown : shown.trim()).toBe(whole.reply);
      }
    }
  });
});
