import type { ParseArgsConfig } from 'node:util';

/** 0: done. 1: the input was refused, or nothing was found. 2: the command line, or a file it names, cannot be used. */
export type ExitCode = 0 | 1 | 2;

/** Where a command reads and writes. */
export interface Streams {
  readonly stdin: AsyncIterable<Buffer>;
  /** Resolves when more may be written. */
  out(text: string): Promise<void>;
  err(line: string): void;
}

/** What was said on the command line, by option; every option's value is text, or true for a flag. */
export interface Said {
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** One command: each stands in a file of its own, of this shape. */
export interface Command {
  /** One word, or two. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(said: Said, streams: Streams): Promise<ExitCode>;
}

/** The command line cannot be carried out as it stands: told on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The whole number that an option gives, within bounds; throws a UsageError. */
export function numberOption(
  said: Said,
  name: string,
  bounds: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const text = said.options[name];
  if (text === undefined) return bounds.otherwise;
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.least && value <= bounds.most) return value;
  throw new UsageError(`--${name} takes a whole number from ${bounds.least} to ${bounds.most}.`);
}

/** The text that an option gives, where it is given. */
export function textOption(said: Said, name: string): string | undefined {
  const value = said.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The positionals, by name; throws a UsageError where there are too few or too many. */
export function positionals(said: Said, ...names: readonly string[]): readonly string[] {
  const missing = names[said.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = said.positionals[names.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}.`);
  return said.positionals;
}
