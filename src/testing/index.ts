export type {
  AdapterHarness,
  FrameworkJob,
  FrameworkRun,
  PlainTool,
  ScriptedAnswer,
  ScriptedToolCall,
} from './adapter-cases/harness.ts';
export { adapterContract } from './adapter-contract.ts';
export {
  type Downstream,
  type DownstreamAnswer,
  type DownstreamOptions,
  type DownstreamRequest,
  type HttpDownstream,
  startDownstream,
  type Trouble,
} from './downstream.ts';
export { JumpingClock } from './jumping-clock.ts';
export { type ContractCase, type LedgerHarness, ledgerContract } from './ledger-contract.ts';
export { type SimulateOptions, type Simulation, simulate } from './simulator/simulate.ts';
export type { FindingCode, FindingSeverity, ToolFinding } from './verify-tool/findings.ts';
export type { ToolReport, TriedScenario } from './verify-tool/report.ts';
export { type VerifyToolOptions, verifyTool } from './verify-tool.ts';
