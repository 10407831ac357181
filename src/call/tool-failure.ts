import type { FailedResult, UnknownResult } from './result.ts';

const marker = Symbol.for('forthright.ToolFailure');

/** For code inside a tool that has to throw: the result that the run is to end with. */
export class ToolFailure extends Error {
  readonly result: FailedResult | UnknownResult;

  constructor(result: FailedResult | UnknownResult) {
    super(result.summary);
    this.name = 'ToolFailure';
    this.result = result;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognises it whichever copy of the package made it. */
  static isInstance(error: unknown): error is ToolFailure {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true;
  }
}
