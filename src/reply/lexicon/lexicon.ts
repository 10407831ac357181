import type { KnownAction } from '../actions.ts';

/** What a function word or a phrase does in a sentence. */
export type Role =
  /** The assistant, or those it speaks for: `I`, `our team`. */
  | 'self'
  /** Whoever else acts: `you`, `the airline`. */
  | 'other'
  /** Helps to build a perfect; says nothing of who acts: `has`. */
  | 'have'
  /** The same, and only ever said of oneself: `ai`, `he`, `habe`. */
  | 'haveSelf'
  /** Helps to build a passive that is over: `been`, `was`, `wurde`. */
  | 'been'
  /** The simple past of the same, as stories are told in: `was`. */
  | 'was'
  /** Helps to build a state: `is`. */
  | 'be'
  /** The bare form beside a future or a modal: `be`, `werden`. */
  | 'beBare'
  /** Something still going on: `being`, `in progress`. */
  | 'ongoing'
  /** Says no to what follows: `not`, `no`. */
  | 'negation'
  /** Says no to everything: `nothing`, `no changes`. */
  | 'nothing'
  /** An attempt that did not succeed, before an infinitive: `could not`, `failed to`. */
  | 'failedTo'
  /** What cannot be done as a rule, before an infinitive: `cannot`. */
  | 'cannot'
  /** An attempt that did succeed, before an infinitive: `managed to`. */
  | 'managedTo'
  /** Says by itself that something did not happen: `failed`, `unsuccessful`. */
  | 'failing'
  /** Says by itself that all is as it was: `remains unchanged`. */
  | 'unchanged'
  /** Possibility, duty, wish, or an infinitive: `can`, `to`. */
  | 'modal'
  /** Opens an infinitive: `to`. */
  | 'infinitive'
  | 'future'
  /** Getting something, after a future: `receive`. */
  | 'receive'
  /** Opens a condition or a time that is not yet: `if`, `once`. */
  | 'condition'
  /** Opens a reason: `because`. */
  | 'reason'
  /** Opens a relative clause: `which`. */
  | 'relative'
  /** Opens a clause that says what was said: `that`. */
  | 'that'
  | 'and'
  | 'but'
  /** Regret, which changes nothing of what is said and may stand anywhere: `unfortunately`. */
  | 'regret'
  /** Doubt: `seems`, `probably`. */
  | 'hedge'
  /** What others said: `you mentioned`, `the policy states`. */
  | 'reported'
  /** That it is not known: `cannot confirm`. */
  | 'uncertain'
  /** That it is known: `I can confirm`. */
  | 'assert'
  /** Asks leave to act: `would you like me to`, `please confirm`. */
  | 'ask'
  /** Opens a question: `what`, `could you`. */
  | 'question'
  /** Speaks of rules: `policy`, `usually`. */
  | 'policy'
  | 'all'
  | 'both'
  | 'it'
  | 'them'
  /** Points at one thing: `your`, `the`. */
  | 'definite'
  /** Puts the event in the past: `ago`, `yesterday`. */
  | 'past'
  | 'already'
  /** Followed by one who acted: `by`. */
  | 'by'
  /** May stand between helper and participle. */
  | 'adverb'
  /** Says by itself that it worked, after an action's noun: `went through`. */
  | 'through'
  /** Says of a thing that it is done: `complete`, `successful`. */
  | 'done'
  /** Only that it was asked for: `submitted`. Not false while it is being confirmed. */
  | 'asked'
  /** That it is being confirmed. */
  | 'confirming'
  /** A verb that brings a thing about: the booking is `confirmed`, the order is `placed`. */
  | 'makes'
  /** Puts a denial off: `yet`. */
  | 'yet'
  /** Proof, not the deed: to deny that something is `confirmed` is not to deny that it happened. */
  | 'proof'
  /** A thing without an action in its name: `request`, `process`. */
  | 'request'
  /** Choices and grounds that are listed: `options`, `reason`. */
  | 'choice'
  /** Right now: `is now cancelled`. */
  | 'now'
  /** What the assistant writes by itself: `summary`, `list`. */
  | 'document'
  /** What may be changed of a record by itself: `address`, `seat`. */
  | 'part'
  /** A yes or a no in a table or a list. */
  | 'yes'
  | 'no'
  /** Joins nouns in a label: `of`, `for`. */
  | 'link'
  /** Announces an identifier: `order`, `number`. */
  | 'idCue'
  /** Money: `dollars`. */
  | 'money'
  /** Money in hundredths: `cents`. */
  | 'cents'
  /** A span of time after a number: `days`. */
  | 'span'
  /** How a thing stands, which changes with whatever is done to it: `status`. */
  | 'state'
  /** Compares with the figure after it, which then is a bound and no sum that moved: `more than`. */
  | 'over'
  /** Makes a bound of a figure beside it: `budget`. */
  | 'limit'
  /** What could be had, not what was done: `in stock`. */
  | 'stock'
  /** Compares with the thing after it, to which nothing was done: `matching`. */
  | 'like'
  /** A sum that a record has: `price`, `total`. */
  | 'figure'
  /** Opens a closing offer: `let me know`. */
  | 'closing';

/** How one action is said. Lists are separated by commas; a phrase may have several words. */
export interface ActionWords {
  /** Past participles, agreement left out where the lexicon generates it. */
  readonly done: string;
  /** Finite past tenses of the first person, where they are not the participle. */
  readonly past?: string;
  /** Predicates that are whole by themselves: `went live`. */
  readonly whole?: string;
  /** Infinitives and gerunds. */
  readonly base: string;
  /** Nouns for the action itself. */
  readonly nouns?: string;
  /** With its article, as a correction begins with it: `the refund`. */
  readonly name: string;
}

/** One language. All forms are in lower case. */
export interface Lexicon {
  /** ISO 639-1. */
  readonly language: string;
  /** Frequent words that tell this language from others. */
  readonly frequent: string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly actions: Readonly<Partial<Record<KnownAction, ActionWords>>>;
  /** Participles of verbs that take their meaning from a noun: `processed`. */
  readonly light: string;
  /** Finite past tenses of the first person of the same, where they are not the participle. */
  readonly lightPast?: string;
  /** Infinitives of the same. */
  readonly lightBase: string;
  /** Things and the action that brings them into being: `booking: book`. */
  readonly things: Readonly<Partial<Record<KnownAction, string>>>;
  /** How many they are: `two` is 2, and so on. */
  readonly counts: readonly string[];
  /** Names of the twelve months, short ones after a slash. */
  readonly months: readonly string[];
  readonly grammar: Grammar;
  readonly writing: Writing;
}

/** What the reader has to know of a language's grammar. */
export interface Grammar {
  /** Endings that a participle takes in place of `strip`. */
  readonly agreement?: { readonly strip: string; readonly endings: readonly string[] };
  /** Whether a helper stands right before its participle (`adjacent`) or anywhere in the clause (`clause`). */
  readonly helper: 'adjacent' | 'clause';
  /** Whether the participle is the past tense as well, as in English. */
  readonly participleIsPast: boolean;
  /** Whether nouns are joined into one word, of which the last says what it is: `Tarifänderung`. */
  readonly compounds?: boolean;
  /** How adverbs that are not listed end: `ly`. */
  readonly adverbEnding?: string;
}

/** Sentences of a correction. `{action}` begins with a capital letter; `{details}` may be empty. */
export interface Writing {
  readonly unknown: string;
  readonly failed: string;
  readonly skipped: string;
  readonly never: string;
  readonly ok: string;
  /** For an action whose name is not known in this language. */
  readonly action: string;
  /** How details are attached: ` ({})`. */
  readonly details: string;
  /** Takes the place of a heading or an opening that was not true as it stood. */
  readonly opening: string;
  readonly decimal: '.' | ',';
  /** Whether the currency sign stands before the number. */
  readonly currencyFirst: boolean;
}
