import { writeSync } from 'node:fs';
import { createRuntime } from '../src/index.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { crashingRefund, leaseMs, type Stop } from './support/crash-refund.ts';

/** Makes one refund, says how far it got, and lives on until it is killed. */
const [path = '', billing = '', stop = 'nowhere', args = ''] = process.argv.slice(2);

function say(what: string): void {
  writeSync(1, `${what}\n`);
}

const runtime = createRuntime({
  tools: [crashingRefund(billing, stop as Stop, say)],
  ledger: sqliteLedger(path),
  leaseMs,
});
setInterval(() => undefined, 1_000);
const { result } = await runtime.call({ name: 'refund_order', arguments: args, scope: 'crash' });
say(result.outcome);
