import type { Evidence } from '../call/evidence.ts';

/** What is known of a request that did not end in success. */
export interface RequestFailure {
  readonly method: string;
  readonly url: URL;
  /** Why, without anything of the request or of its answer but the status. */
  readonly reason: string;
  /** Of the last answer, if there was one. */
  readonly response: Response | undefined;
  /** The beginning of its body. */
  readonly body: string | undefined;
  readonly cause: unknown;
}

const writeMarker = Symbol.for('forthright.WriteRequestError');
const readMarker = Symbol.for('forthright.ReadRequestError');

/**
 * A request that did not end in success. The message names the method, the host and the reason; path,
 * query, headers and bodies may hold secrets and are not in it, nor in what a logger prints of it.
 */
class RequestError extends Error {
  /** Of the last answer; undefined where none came. */
  readonly status: number | undefined;
  readonly #headers: Headers | undefined;
  readonly #body: string | undefined;

  constructor(failure: RequestFailure) {
    super(`${failure.method} ${failure.url.host}: ${failure.reason}`, { cause: failure.cause });
    this.status = failure.response?.status;
    this.#headers = failure.response?.headers;
    this.#body = failure.body;
  }

  /** Of the last answer, for the host. */
  get headers(): Headers | undefined {
    return this.#headers;
  }

  /** The last answer's body as text, at most 65,536 bytes of it, for the host. */
  get body(): string | undefined {
    return this.#body;
  }
}

/** A write that did not end in success; `evidence` says what is known of it. */
export class WriteRequestError extends RequestError {
  readonly evidence: Evidence;

  constructor(failure: RequestFailure, evidence: Evidence) {
    super(failure);
    this.name = 'WriteRequestError';
    this.evidence = evidence;
  }

  /** Whether a value is one, whichever copy of the package made it. */
  static isInstance(value: unknown): value is WriteRequestError {
    return isMarked(value, writeMarker);
  }
}

/** A request that changes nothing and did not end in success. It carries no evidence of any write. */
export class ReadRequestError extends RequestError {
  constructor(failure: RequestFailure) {
    super(failure);
    this.name = 'ReadRequestError';
  }

  /** Whether a value is one, whichever copy of the package made it. */
  static isInstance(value: unknown): value is ReadRequestError {
    return isMarked(value, readMarker);
  }
}

Object.defineProperty(WriteRequestError.prototype, writeMarker, { value: true });
Object.defineProperty(ReadRequestError.prototype, readMarker, { value: true });

function isMarked(value: unknown, marker: symbol): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, marker) === true;
}
