const said = new Set<string>();

/** Warns on the console, once in a process for each text. */
export function warnOnce(adapter: string, what: string): void {
  const text = `forthright/${adapter}: ${what}`;
  if (said.has(text)) return;
  said.add(text);
  console.warn(text);
}

/** Warns once that the raw text of a call is gone; `mend` says what to use. */
export function warnOfLostText(adapter: string, mend: string): void {
  warnOnce(
    adapter,
    `a tool was called without the text that the model wrote, so that duplicate keys and rounded numbers cannot all be seen. ${mend}`,
  );
}
