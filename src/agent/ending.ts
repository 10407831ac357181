import type { PendingAction } from './approvals.ts';

/** How a turn ended: plain JSON. */
export type Ending =
  /** The model spoke to the user. */
  | { readonly kind: 'replied' }
  /** Something waits for a person's word. */
  | { readonly kind: 'approval_required'; readonly pending: readonly PendingAction[] }
  /** The model, or its provider, will not do this. */
  | { readonly kind: 'refused' }
  /** Its answers were cut off, time after time. */
  | { readonly kind: 'truncated' }
  /** It said nothing, time after time. */
  | { readonly kind: 'empty' }
  /** Every call of several rounds in a row failed. */
  | { readonly kind: 'repeated_failures' }
  | { readonly kind: 'too_many_turns' }
  /** The user left; what was on its way by then was waited for. */
  | { readonly kind: 'cancelled' }
  /** The model could not be asked, took too long or answered with no turn. */
  | { readonly kind: 'model_failed' };
