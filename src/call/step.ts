/** The end of one step that can fail for a reason: a value, or the error that says why not. */
export type Step<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A step that went well. */
export function pass<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A step that did not; later steps are not called. */
export function refuse<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** Calls `next` with the value, or hands the first error through without calling it. */
export function andThen<T, U, E>(step: Step<T, E>, next: (value: T) => Step<U, E>): Step<U, E> {
  return step.ok ? next(step.value) : step;
}

/** Changes the value by a function that cannot fail, or hands the error through. */
export function mapValue<T, U, E>(step: Step<T, E>, change: (value: T) => U): Step<U, E> {
  return step.ok ? pass(change(step.value)) : step;
}
