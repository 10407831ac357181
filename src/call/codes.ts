/** What a result says of the world. See the table of outcomes in docs/results.md. */
export type OutcomeName = 'ok' | 'failed' | 'unknown' | 'already_done' | 'skipped';

/** Codes that say that nothing changed. */
export type FailedCode =
  | 'unknown_tool'
  | 'invalid_json'
  | 'missing_argument'
  | 'invalid_argument_shape'
  | 'unexpected_argument'
  | 'invalid_arguments'
  | 'duplicate_key'
  | 'unsafe_number'
  | 'forbidden_key'
  | 'invalid_unicode'
  | 'arguments_too_large'
  | 'arguments_too_deep'
  | 'missing_runtime_context'
  | 'tool_unavailable'
  | 'recoverable_failure'
  | 'blocked'
  | 'approval_required'
  | 'approval_denied'
  | 'tool_failed'
  | 'rejected'
  | 'not_sent'
  | 'confirmed_not_done'
  | 'timeout_before_send'
  | 'cancelled_before_send'
  | 'read_timeout'
  | 'cancelled'
  | 'lease_lost'
  | 'lane_busy'
  | 'lane_unsettled'
  | 'key_conflict'
  | 'repeat_not_allowed'
  | 'nested_write'
  | 'overloaded'
  | 'shutting_down'
  | 'ledger_unavailable';

/** Codes that say that there is no proof either way. */
export type UnknownCode = 'sent_no_answer' | 'accepted_not_done' | 'still_confirming';

/** A code of forthright's own. */
export type Code = 'done' | 'already_done' | 'already_in_progress' | FailedCode | UnknownCode;

/** One row of the table of codes. */
export interface CodeEntry {
  readonly outcome: OutcomeName;
  /** When it is given, in one sentence. */
  readonly when: string;
  /** What the model is to do; a result may say it more exactly. */
  readonly nextAction: string;
}

const repair = 'Correct the arguments and call the tool again.';
const doNotRepeat = 'Tell the user it is being confirmed. Do not repeat the call.';

/**
 * Every code of forthright's own, with its outcome and what to do.
 * Tools add codes of their own to `failed`; these names are taken.
 */
export const codes: Readonly<Record<Code, CodeEntry>> = {
  done: {
    outcome: 'ok',
    when: 'The tool did what was asked.',
    nextAction: 'Report it to the user.',
  },
  already_done: {
    outcome: 'already_done',
    when: 'An earlier identical call did it; `data` is the first answer.',
    nextAction: 'Report the earlier answer. Do not call again.',
  },
  already_in_progress: {
    outcome: 'skipped',
    when: 'An identical call is running now; this one sent nothing.',
    nextAction: 'Wait for the result of the call that is running.',
  },
  unknown_tool: {
    outcome: 'failed',
    when: 'The name is not on the list of tools.',
    nextAction: 'Use one of the listed tools.',
  },
  invalid_json: {
    outcome: 'failed',
    when: 'The arguments are not exactly one JSON object.',
    nextAction: 'Send the arguments as one JSON object, with nothing around it.',
  },
  missing_argument: {
    outcome: 'failed',
    when: 'A required argument is absent.',
    nextAction: repair,
  },
  invalid_argument_shape: {
    outcome: 'failed',
    when: 'An argument has the wrong type, is null, is not one of the allowed values or not of the required form.',
    nextAction: repair,
  },
  unexpected_argument: {
    outcome: 'failed',
    when: 'An argument is not one that the tool has.',
    nextAction: 'Leave it out and call the tool again.',
  },
  invalid_arguments: {
    outcome: 'failed',
    when: 'The arguments have the right shapes and are not valid together, or break a rule of the tool.',
    nextAction: repair,
  },
  duplicate_key: {
    outcome: 'failed',
    when: 'The same key stands twice in one object of the arguments.',
    nextAction: 'Send each key once.',
  },
  unsafe_number: {
    outcome: 'failed',
    when: 'A number cannot be held exactly: it would be rounded to another one.',
    nextAction:
      'Send the exact number that is meant; if it is an identifier, as the tool describes it.',
  },
  forbidden_key: {
    outcome: 'failed',
    when: 'A key is one that no argument may have (`__proto__`, or `constructor` holding `prototype`).',
    nextAction: 'Leave the key out and call the tool again.',
  },
  invalid_unicode: {
    outcome: 'failed',
    when: 'A string holds half of a surrogate pair, which is no character.',
    nextAction: 'Send the text with whole characters.',
  },
  arguments_too_large: {
    outcome: 'failed',
    when: 'The text of the arguments is longer than the limit.',
    nextAction: 'Send less in one call.',
  },
  arguments_too_deep: {
    outcome: 'failed',
    when: 'The arguments are nested deeper than the limit.',
    nextAction: 'Send flatter arguments.',
  },
  missing_runtime_context: {
    outcome: 'failed',
    when: 'The host did not supply what the tool needs besides its arguments; the tool was not called.',
    nextAction: 'Tell the user that this cannot be done here at the moment.',
  },
  tool_unavailable: {
    outcome: 'failed',
    when: 'The tool is not available in this situation.',
    nextAction: 'Use another tool, or tell the user that this cannot be done here.',
  },
  recoverable_failure: {
    outcome: 'failed',
    when: 'The tool refused for a reason that it states.',
    nextAction: 'Act on the reason that is given.',
  },
  blocked: {
    outcome: 'failed',
    when: 'A rule forbids it for now.',
    nextAction: 'Explain what stands in the way.',
  },
  approval_required: {
    outcome: 'failed',
    when: 'A person has to approve this call first; nothing was sent.',
    nextAction: 'Tell the user that the action awaits approval.',
  },
  approval_denied: {
    outcome: 'failed',
    when: 'A person refused to approve this call; nothing was sent.',
    nextAction: 'Tell the user that it was not approved. Do not call again.',
  },
  tool_failed: {
    outcome: 'failed',
    when: 'The tool failed unexpectedly before anything was sent.',
    nextAction: 'Tell the user that it did not work; nothing was changed.',
  },
  rejected: {
    outcome: 'failed',
    when: 'The remote system refused it, which proves that nothing changed.',
    nextAction: 'Explain that it was refused, or try something else.',
  },
  not_sent: {
    outcome: 'failed',
    when: 'The remote system could not be reached; nothing was sent.',
    nextAction: 'Try once more, or tell the user that nothing was changed.',
  },
  confirmed_not_done: {
    outcome: 'failed',
    when: 'It was sent, and later confirmed not to have happened.',
    nextAction: 'Nothing was changed; the call may be made again.',
  },
  timeout_before_send: {
    outcome: 'failed',
    when: 'Time ran out before anything was sent.',
    nextAction: 'Nothing was changed; the call may be made again.',
  },
  cancelled_before_send: {
    outcome: 'failed',
    when: 'The user cancelled before anything was sent.',
    nextAction: 'Nothing was changed. Do not call again unless the user asks.',
  },
  read_timeout: {
    outcome: 'failed',
    when: 'A read took too long; reads change nothing.',
    nextAction: 'The call may be made again.',
  },
  cancelled: {
    outcome: 'failed',
    when: 'The user cancelled a read.',
    nextAction: 'Do not call again unless the user asks.',
  },
  lease_lost: {
    outcome: 'failed',
    when: 'This attempt was too slow and lost its place to another one before it sent anything.',
    nextAction: 'Nothing was sent by this call; it may be made again.',
  },
  lane_busy: {
    outcome: 'failed',
    when: 'Another write to the same thing took longer than this one could wait; nothing was sent.',
    nextAction: 'Wait for the other write to end, then call again.',
  },
  lane_unsettled: {
    outcome: 'failed',
    when: 'An earlier write to the same thing is not settled; nothing was sent.',
    nextAction: 'Wait until the earlier write is settled. Do not try a variation of it.',
  },
  key_conflict: {
    outcome: 'failed',
    when: 'The same key was used before with other arguments; nothing was sent.',
    nextAction: 'Report what the earlier call did; do not send this one under the same key.',
  },
  repeat_not_allowed: {
    outcome: 'failed',
    when: 'A second identical write was asked for and is not allowed now; nothing was sent.',
    nextAction: 'Ask the user whether it is really wanted a second time.',
  },
  nested_write: {
    outcome: 'failed',
    when: 'A write was called from inside another write; nothing was sent.',
    nextAction: 'Call the tools one after the other.',
  },
  overloaded: {
    outcome: 'failed',
    when: 'Too many calls are waiting; nothing was sent.',
    nextAction: 'Wait a little, then call again.',
  },
  shutting_down: {
    outcome: 'failed',
    when: 'The service is being stopped; nothing was sent.',
    nextAction: 'Call again later.',
  },
  ledger_unavailable: {
    outcome: 'failed',
    when: 'The record of writes cannot be reached, so nothing was sent.',
    nextAction: 'Tell the user that it cannot be done at the moment; nothing was changed.',
  },
  sent_no_answer: {
    outcome: 'unknown',
    when: 'It was sent and there is no proof of what became of it.',
    nextAction: doNotRepeat,
  },
  accepted_not_done: {
    outcome: 'unknown',
    when: 'The remote system accepted it and has not done it yet.',
    nextAction: doNotRepeat,
  },
  still_confirming: {
    outcome: 'unknown',
    when: 'An earlier identical call was sent and is not confirmed; this one sent nothing.',
    nextAction: doNotRepeat,
  },
};
