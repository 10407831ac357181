import { once } from 'node:events';
import { sqliteLedger } from '../../src/sqlite/index.ts';
import { answerTo, claimOf, markOf } from '../../src/testing/ledger-cases/stage.ts';

/**
 * Races with others of its kind for keys and for lanes of one file, and prints what it got.
 * The file is opened, and perhaps made, at the start signal: all of them do so at once.
 */
const [path = '', name = '', rounds = '0'] = process.argv.slice(2);

process.stdout.write('ready\n');
await once(process.stdin, 'data');

const ledger = sqliteLedger({ path, busyMs: 60_000 });
const got: { keys: number[]; sent: number[]; lanes: number[] } = { keys: [], sent: [], lanes: [] };

async function raceForKey(round: number): Promise<void> {
  const answer = await ledger.claim(claimOf(`key ${round}`, { attemptId: name }));
  if (answer.kind !== 'claimed') return;
  got.keys.push(round);
  const mark = await ledger.mark(markOf(answer.entry));
  if (mark.kind === 'done') got.sent.push(round);
  await ledger.complete(answerTo(answer.entry));
}

async function raceForLane(round: number): Promise<void> {
  const lane = `order:${round}`;
  const answer = await ledger.claim(claimOf(`${name} in ${lane}`, { lane }));
  if (answer.kind !== 'claimed') return;
  const mark = await ledger.mark(markOf(answer.entry));
  if (mark.kind === 'done') got.lanes.push(round);
}

for (let round = 0; round < Number(rounds); round += 8) {
  const eight = Array.from({ length: 8 }, (_, i) => round + i);
  await Promise.all(eight.flatMap((each) => [raceForKey(each), raceForLane(each)]));
}
await ledger.close();
process.stdout.write(`${JSON.stringify(got)}\n`);
