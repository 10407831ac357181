export { type Clock, systemClock } from './call/clock.ts';
export {
  type Code,
  type CodeEntry,
  codes,
  type FailedCode,
  type OutcomeName,
  type UnknownCode,
} from './call/codes.ts';
export {
  accepted,
  answered,
  didNotHappen,
  type Evidence,
  type Finding,
  happened,
  noEvidence,
  notKnownYet,
  notSent,
  rejected,
} from './call/evidence.ts';
export type { JsonObject, JsonValue } from './call/json.ts';
export {
  type AlreadyDoneResult,
  blocked,
  type Clarification,
  type FailedResult,
  failed,
  invalidArguments,
  isResult,
  needsClarification,
  type OkResult,
  ok,
  type Result,
  recoverableFailure,
  renderResult,
  type SkippedResult,
  type ToolResult,
  type UnknownResult,
  unknown,
  type Warning,
  withNextAction,
  withOutput,
  withWarning,
} from './call/result.ts';
export { andThen, mapValue, pass, refuse, type Step } from './call/step.ts';
export type {
  AnyTool,
  ArgumentsOf,
  DecodedCall,
  Effect,
  InputOf,
  InputSchema,
  JsonSchema,
  ReadCall,
  ReadSpec,
  ReconcileCall,
  RepeatRule,
  SendRequest,
  Tool,
  ToolCall,
  ToolSpec,
  Toolset,
  WriteCall,
  WriteFetchInit,
  WriteSpec,
} from './call/tool.ts';
export type { Defect, JsonProblem, ToolError } from './call/tool-error.ts';
export { ToolFailure } from './call/tool-failure.ts';
export { decode } from './decode/decode.ts';
export { tool } from './decode/define-tool.ts';
export { explain } from './decode/explain.ts';
export type { Limits } from './decode/limits.ts';
export { toolset } from './decode/toolset.ts';
export { DispatchRefused } from './execute/dispatcher.ts';
export { canonicalize } from './key/canonical-json.ts';
export type { Entry, EntryState, LaneHolder, Verdict } from './ledger/entry.ts';
export type { EntryEvent, EntryHistory, Happening, RepeatAnswer } from './ledger/history.ts';
export type {
  EntryQuery,
  Ledger,
  SettleAnswer,
  Tally,
  TallyRequest,
  TallySlice,
} from './ledger/ledger.ts';
export { type MemoryLedgerOptions, memoryLedger } from './ledger/memory-ledger.ts';
export type { ReplyCheck, ReplyFinding, ReplyOptions } from './reply/types.ts';
export { createRuntime } from './runtime/create-runtime.ts';
export {
  consoleLogger,
  type Logger,
  type ReportCode,
  type RuntimeEvent,
} from './runtime/events.ts';
export type { RuntimeOptions, Sealer } from './runtime/options.ts';
export type { Reconciled } from './runtime/reconcile.ts';
export type {
  CallOutcome,
  CallRequest,
  Closed,
  ContextOf,
  Load,
  Runtime,
  ShownTool,
} from './runtime/runtime.ts';
export type { VerdictGrounds } from './runtime/settle.ts';
export type { Settlement, SettlementHandler } from './runtime/settlements.ts';
