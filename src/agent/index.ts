export { type Approvals, type Decision, memoryApprovals, type PendingAction } from './approvals.ts';
export type { Ending } from './ending.ts';
export type {
  AgentOptions,
  AgentRun,
  ApprovalRule,
  CheckedReply,
  ReplyCheckFunction,
} from './options.ts';
export {
  advancePlan,
  type EndedStatus,
  type ExecutionPlan,
  emptyPlan,
  openQuestion,
  type PlanChange,
  type PlanEvent,
  type PlanStep,
  planOf,
  type StepStart,
  type StepStatus,
} from './plan.ts';
export { runAgent } from './run-agent.ts';
export {
  lastResults,
  type ReadResult,
  reply,
  type ScriptedTurn,
  scriptedModel,
  toolCall,
  toolCalls,
} from './scripted-model.ts';
export type { Message, Model, Turn, TurnCall, TurnOptions } from './turn.ts';
