/** Whether a promise is broken, or whether it could merely be kept better. */
export type FindingSeverity = 'broken' | 'advice';

/** What stands in the report for one kind of finding. */
export interface FindingKind {
  readonly severity: FindingSeverity;
  /** What is wrong, in one sentence. */
  readonly what: string;
  /** How it is mended. */
  readonly mend: string;
}

/** The name of something that is wrong with a tool. */
export type FindingCode =
  | 'sends_nothing'
  | 'does_not_end'
  | 'sends_before_mark'
  | 'sends_without_leave'
  | 'sends_after_its_time'
  | 'sends_twice'
  | 'retries_without_key'
  | 'wrong_wire_key'
  | 'keys_not_honoured'
  | 'outlives_request_max'
  | 'ignores_its_signal'
  | 'cancels_after_send'
  | 'says_failed_after_send'
  | 'claims_rejection'
  | 'says_ok_without_proof'
  | 'swallows_answer'
  | 'loses_late_answer'
  | 'key_not_stable'
  | 'key_changes_with_wording'
  | 'key_too_wide'
  | 'reconcile_lies'
  | 'reconcile_fails'
  | 'reconcile_sends'
  | 'no_reconcile'
  | 'stays_unknown'
  | 'result_not_json'
  | 'data_not_as_promised'
  | 'leaks_error_text'
  | 'effect_doubled';

/** What a tool's author can get wrong, as far as it shows. */
export const findingKinds: Readonly<Record<FindingCode, FindingKind>> = {
  sends_nothing: {
    severity: 'broken',
    what: 'Nothing reached the downstream though all was well.',
    mend: 'Look at what it was told: the input, the context, and the URL that the tool sends to have to fit the downstream. Nothing else was tried.',
  },
  does_not_end: {
    severity: 'broken',
    what: 'The run did not end though the downstream had answered.',
    mend: 'Await what is sent, and nothing else after it.',
  },
  sends_before_mark: {
    severity: 'broken',
    what: 'A request left before the write was marked, so that a crash right after it leaves nothing that would stop a second one.',
    mend: 'Send through ctx.fetch, or inside the function given to ctx.dispatch; what changes nothing goes through ctx.read.',
  },
  sends_without_leave: {
    severity: 'broken',
    what: 'It sent though ctx.fetch or ctx.dispatch had refused: its time was over, the user had left, or the ledger was gone.',
    mend: 'Let what they reject with end the run. Never send by another way in its place.',
  },
  sends_after_its_time: {
    severity: 'broken',
    what: 'It sent again after the time for sending was over (timeoutMs after the mark), when somebody else may already have been told that it did not happen.',
    mend: 'Ask maySend() of the function given to ctx.dispatch right before each request, a retry too; or send through ctx.fetch, which does.',
  },
  sends_twice: {
    severity: 'broken',
    what: 'One run sent more than one write.',
    mend: 'One run is one ctx.fetch or ctx.dispatch, with one request in it. Make the second write a tool of its own, or one request of the two.',
  },
  retries_without_key: {
    severity: 'broken',
    what: 'After a failure the same write was sent again in the same run, and nothing says that the remote system honours keys.',
    mend: 'Switch the retries of the HTTP client off. Where the remote system honours idempotency keys, send ctx.key and set remoteKeyMs; ctx.fetch then retries by itself.',
  },
  wrong_wire_key: {
    severity: 'broken',
    what: 'A request carried no idempotency key, or another one than ctx.key.',
    mend: 'Send ctx.key, which stays the same for one intent, as it is. ctx.fetch does so by itself.',
  },
  keys_not_honoured: {
    severity: 'broken',
    what: 'remoteKeyMs says that the remote system honours keys, and it did the same key twice.',
    mend: 'Leave remoteKeyMs out, or look at how the remote system wants its key (keyHeader).',
  },
  outlives_request_max: {
    severity: 'broken',
    what: 'A request was still under way after its longest life (requestMaxMs), so that "it did not happen" may be believed while it can still happen.',
    mend: 'Hand the `signal` that the function given to ctx.dispatch receives on to the client; or send through ctx.fetch.',
  },
  ignores_its_signal: {
    severity: 'advice',
    what: 'Its time was over before it sent anything, and the run went on.',
    mend: 'Hand ctx.signal on to what it reads and waits for.',
  },
  cancels_after_send: {
    severity: 'broken',
    what: 'The user left after the request had been sent, and the answer that came was lost.',
    mend: 'Do not hand a signal of the host’s to the client that sends; ctx.signal is enough, and no longer ends once the request is on its way.',
  },
  says_failed_after_send: {
    severity: 'broken',
    what: 'It returned failed() for a request that had been sent and may have been done.',
    mend: 'Let the error of ctx.fetch or ctx.dispatch through, or return unknown(). failed() is for refusals that prove that nothing changed.',
  },
  claims_rejection: {
    severity: 'broken',
    what: 'Its evidence said that nothing happened, for a request that had reached the remote system: the model was told failed.',
    mend: 'Return rejected() only for an answer by which the remote system refused before it changed anything, and notSent() only where no connection was made; else noEvidence().',
  },
  says_ok_without_proof: {
    severity: 'broken',
    what: 'It returned ok() though no answer said that it was done.',
    mend: 'Look at the answer before returning ok() or answered(): a caught error, and a status that is not 2xx, are no proof.',
  },
  swallows_answer: {
    severity: 'broken',
    what: 'The remote system did it and said so, and the model was not told ok.',
    mend: 'Return answered(value) from the function given to ctx.dispatch, and ok() from run, once the answer is there; read the answer so that a surprise in it does not throw.',
  },
  loses_late_answer: {
    severity: 'advice',
    what: 'An answer that came after the model had been told unknown was not brought home: the write has to be asked about.',
    mend: 'Go on waiting for the answer, and return what it says: no timer of the tool’s own; requestMaxMs ends the request.',
  },
  key_not_stable: {
    severity: 'broken',
    what: 'The same arguments made two keys, so that a retry is a second write.',
    mend: 'Make `key` a function of the arguments alone: no clock, no random number.',
  },
  key_changes_with_wording: {
    severity: 'broken',
    what: 'The same intent in other words made another key, so that a reworded retry is a second write.',
    mend: 'Name the fields that are mere words under key: { ignore: [...] }.',
  },
  key_too_wide: {
    severity: 'broken',
    what: 'Another intent made the same key, so that it would be taken for the first one.',
    mend: 'Leave only mere words out of the key; each argument that changes what is done belongs in it.',
  },
  reconcile_lies: {
    severity: 'broken',
    what: 'reconcile said the opposite of what the remote system had done.',
    mend: 'Ask by ctx.key or by the noted reference; answer didNotHappen() only where the remote system was reached and surely does not have it, and notKnownYet() otherwise.',
  },
  reconcile_fails: {
    severity: 'broken',
    what: 'reconcile threw, did not end, or returned no finding.',
    mend: 'Return happened(data), didNotHappen() or notKnownYet(); hand ctx.signal on; where the remote system cannot be reached, return notKnownYet().',
  },
  reconcile_sends: {
    severity: 'broken',
    what: 'reconcile wrote to the remote system.',
    mend: 'Only ask. Where the remote system honours keys, set remoteKeyMs: the runtime then sends the same again, marked.',
  },
  no_reconcile: {
    severity: 'advice',
    what: 'A write that is unknown stays so until an operator settles it.',
    mend: 'Give the tool a `reconcile` that asks the remote system, or remoteKeyMs where it honours keys.',
  },
  stays_unknown: {
    severity: 'advice',
    what: 'A write stayed unknown though the remote system could be asked.',
    mend: 'Let reconcile come to a finding once the remote system knows; until then an operator has to.',
  },
  result_not_json: {
    severity: 'broken',
    what: 'What it returned is not the JSON that the model and a repeated call are given.',
    mend: 'Return plain JSON as data: no Date, BigInt, Map, function or cycle, and no more than maxDataLength.',
  },
  data_not_as_promised: {
    severity: 'broken',
    what: 'The data of its result does not fit its `output`.',
    mend: 'Mend the schema, or what run returns.',
  },
  leaks_error_text: {
    severity: 'broken',
    what: 'The text of an error is in what the model is told.',
    mend: 'Write a summary of your own; errors go to the host’s logger if they are thrown.',
  },
  effect_doubled: {
    severity: 'broken',
    what: 'One intent had more than one effect.',
    mend: 'Send once a run, through ctx.fetch or ctx.dispatch, with ctx.key; then look at what the scenario says.',
  },
};

/** Something that is wrong with a tool, with where it showed and how to mend it. */
export interface ToolFinding {
  readonly code: FindingCode;
  /** `advice` leaves the report `ok`. */
  readonly severity: FindingSeverity;
  readonly what: string;
  readonly mend: string;
  /** The scenarios in which it showed, and what was seen there. */
  readonly seen: readonly { readonly scenario: string; readonly detail: string }[];
}
