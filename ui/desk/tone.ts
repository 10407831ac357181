/** The badge of a status, an outcome or a state. */
export function tone(word: string): 'ok' | 'failed' | 'unknown' | 'sent' | 'waiting' {
  if (/^(ok|already_done|completed)/.test(word)) return 'ok';
  if (/^(unknown|needs|approval)/.test(word)) return 'unknown';
  if (/^(dispatched|running)/.test(word)) return 'sent';
  return /^(skipped|claimed|pending)/.test(word) ? 'waiting' : 'failed';
}
