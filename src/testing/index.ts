export { type ContractCase, type LedgerHarness, ledgerContract } from './ledger-contract.ts';
