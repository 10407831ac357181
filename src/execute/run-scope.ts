import { AsyncLocalStorage } from 'node:async_hooks';

/** An unsafe request that was seen to leave inside a run. */
export interface SeenRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
}

/** What a client tells of a request: that it is being written, the status of its answer, or that it failed. */
export type SeenEnd = 'written' | 'failed' | number;

/** The run of a write that the current code is part of. */
export interface RunScope {
  readonly tool: string;
  /** `run`: nothing unsafe may leave; `send`: marked; `exempt`: declared to change nothing. */
  readonly mode: 'run' | 'send' | 'exempt';
  readonly exemptHosts: ReadonlySet<string>;
  /** Called for each unsafe request in the modes `run` and `send`. */
  saw(request: SeenRequest, mode: 'run' | 'send'): void;
  /** Called with what becomes of a request in the mode `send`. */
  sawEnd(end: SeenEnd): void;
}

const scopes = new AsyncLocalStorage<RunScope | undefined>();

/** The run of a write that the current code belongs to, across awaits and timers. */
export function currentRun(): RunScope | undefined {
  return scopes.getStore();
}

/** Calls `work` as part of a run. */
export function inRun<T>(scope: RunScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Calls `work` as part of no run, wherever it was asked for. */
export function outsideRun<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
