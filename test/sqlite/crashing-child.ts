import { writeSync } from 'node:fs';
import { sqliteLedger } from '../../src/sqlite/index.ts';
import { answerTo, claimOf, markOf } from '../../src/testing/ledger-cases/stage.ts';

/** Writes on and on, many calls side by side, and says at once what was acknowledged: until it is killed. */
const [path = '', round = ''] = process.argv.slice(2);
const ledger = sqliteLedger(path);

function say(name: string, state: string): void {
  writeSync(1, `${name} ${state}\n`);
}

async function calls(worker: number): Promise<never> {
  for (let i = 0; ; i += 1) {
    const name = `${round}/${worker}/${i}`;
    const answer = await ledger.claim(claimOf(name));
    if (answer.kind !== 'claimed') throw new Error(answer.kind);
    say(name, 'claimed');
    await ledger.mark(markOf(answer.entry));
    say(name, 'dispatched');
    await ledger.complete(answerTo(answer.entry));
    say(name, 'ok');
  }
}

await Promise.all(Array.from({ length: 32 }, (_, worker) => calls(worker)));
