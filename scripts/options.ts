/**
 * Reads a program's options: with `--help` it prints `usage`; what is wrong it names beside `usage` on
 * standard error, with exit code 2. Undefined in both cases.
 */
export function optionsOrUsage<Options>(
  usage: string,
  read: (args: readonly string[]) => Options,
): Options | undefined {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return undefined;
  }
  try {
    return read(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Throws a `RangeError` that names the option where its text is no whole number from `least` to 2^31. */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= 2 ** 31) return value;
  throw new RangeError(
    `${option} takes a whole number from ${least} to 2147483648, not "${text}".`,
  );
}
