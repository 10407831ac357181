export type {
  AdapterHarness,
  FrameworkJob,
  FrameworkRun,
  PlainTool,
  ScriptedAnswer,
  ScriptedToolCall,
} from './adapter-cases/harness.ts';
export { adapterContract } from './adapter-contract.ts';
export { type ContractCase, type LedgerHarness, ledgerContract } from './ledger-contract.ts';
export { type SimulateOptions, type Simulation, simulate } from './simulator/simulate.ts';
