const irregular: Readonly<Record<string, string>> = {
  send: 'sent',
  resend: 'resent',
  pay: 'paid',
  repay: 'repaid',
  prepay: 'prepaid',
  buy: 'bought',
  make: 'made',
  give: 'given/gave',
  take: 'taken/took',
  write: 'written/wrote',
  rewrite: 'rewritten/rewrote',
  overwrite: 'overwritten/overwrote',
  put: 'put',
  set: 'set',
  reset: 'reset',
  cut: 'cut',
  split: 'split',
  shut: 'shut',
  let: 'let',
  lend: 'lent',
  hold: 'held',
  withhold: 'withheld',
  sell: 'sold',
  build: 'built',
  rebuild: 'rebuilt',
  undo: 'undone/undid',
  redo: 'redone/redid',
  do: 'done/did',
  run: 'run/ran',
  begin: 'begun/began',
  withdraw: 'withdrawn/withdrew',
  draw: 'drawn/drew',
  freeze: 'frozen/froze',
  unfreeze: 'unfrozen/unfroze',
  choose: 'chosen/chose',
  bind: 'bound',
  bring: 'brought',
  keep: 'kept',
  leave: 'left',
  lose: 'lost',
  spend: 'spent',
  submit: 'submitted',
  drop: 'dropped',
};

/** The past forms and the gerund of an English verb. */
export function inflect(verb: string): {
  readonly done: readonly string[];
  readonly gerund: string;
} {
  const known = irregular[verb];
  return { done: known ? known.split('/') : [regularPast(verb)], gerund: gerundOf(verb) };
}

const vowels = 'aeiou';

function regularPast(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  if (verb.endsWith('y') && !vowels.includes(verb.at(-2) ?? 'a')) return `${verb.slice(0, -1)}ied`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

function gerundOf(verb: string): string {
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`;
  if (verb.endsWith('e') && !verb.endsWith('ee')) return `${verb.slice(0, -1)}ing`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}

/** One stressed syllable that ends in consonant, vowel, consonant: `ship`, `refer`, `permit`. */
function doubles(verb: string): boolean {
  const [before, vowel, last] = [verb.at(-3), verb.at(-2), verb.at(-1)];
  if (before === undefined || vowel === undefined || last === undefined) return false;
  const shape =
    !vowels.includes(before) && vowels.includes(vowel) && !`${vowels}wxy`.includes(last);
  if (!shape) return false;
  const syllables = [...verb].filter(
    (char, at) => vowels.includes(char) && !vowels.includes(verb[at - 1] ?? ''),
  ).length;
  return syllables === 1 || /(?:fer|mit|cur|pel|gin)$/.test(verb);
}
