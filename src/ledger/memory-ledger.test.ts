import { describe, expect, test } from 'vitest';
import { claimOf } from '../testing/ledger-cases/stage.ts';
import { ledgerContract } from '../testing/ledger-contract.ts';
import { memoryLedger } from './memory-ledger.ts';

describe('the memory ledger keeps the contract', () => {
  let nowMs = 1_700_000_000_000;
  const harness = {
    open: () => memoryLedger({ nowMs: () => nowMs }),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  for (const { name, run } of ledgerContract(harness)) test(name, run);
});

describe('the memory ledger keeps the contract by the real clock', () => {
  for (const { name, run } of ledgerContract({ open: () => memoryLedger() })) test(name, run);
});

test('a full memory ledger refuses new keys, and makes room where something may be forgotten', async () => {
  const ledger = memoryLedger({ maxEntries: 2 });
  const first = await ledger.claim(claimOf('a'));
  await ledger.claim(claimOf('b'));
  await expect(ledger.claim(claimOf('c'))).rejects.toThrow('maxEntries');
  expect((await ledger.claim(claimOf('b'))).kind).toBe('claimed');
  if (first.kind !== 'claimed') throw new Error(first.kind);
  await ledger.fail({ ...first.entry, result: '' });
  expect((await ledger.claim(claimOf('c'))).kind).toBe('claimed');
});

test('a closed memory ledger rejects', async () => {
  const ledger = memoryLedger();
  await ledger.close();
  await expect(ledger.get('a')).rejects.toThrow('closed');
});
