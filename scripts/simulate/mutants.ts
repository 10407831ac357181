/** One place in the source, and what stands there in a mutant. */
export interface Patch {
  /** Under `src`. */
  readonly file: string;
  /** The exact text, which has to stand there once. */
  readonly find: string;
  readonly put: string;
}

/** The source with one guard taken out: the simulator has to find a story that shows why it is there. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Whether it shows only where operators may be wrong. */
  readonly wrongVerdicts?: true;
}

const attempt = 'ledger/attempt.ts';
const proof = 'ledger/proof.ts';
const claim = 'ledger/claim.ts';
const transition = 'ledger/transition.ts';
const dispatcher = 'execute/dispatcher.ts';
const writeAttempt = 'runtime/write-attempt.ts';
const record = 'runtime/attempt-record.ts';

function one(name: string, file: string, find: string, put: string): Mutant {
  return { name, patches: [{ file, find, put }] };
}

/** A mutant that refuses proof under a condition. */
function refusing(name: string, condition: string): Mutant {
  const find = "  if (entry.state === 'ok') return repeated(view, request, provenAgain";
  const refuse = `  if (${condition}) return { answer: { kind: 'refused', entry } };\n`;
  return one(name, proof, find, refuse + find);
}

const marking: readonly Mutant[] = [
  {
    name: 'fencing',
    patches: [
      {
        file: attempt,
        find: `  const entry = owned(request, view);
  if (entry?.state !== 'claimed') return refused(view);
  const holdsLane = view.holder?.key === entry.key && view.holder.token === entry.token;`,
        put: `  const { entry } = view;
  if (entry === undefined) return refused(view);
  const holdsLane = view.holder?.key === entry.key;`,
      },
    ],
  },
  one(
    'mark before send',
    dispatcher,
    'this.#marking = this.#port.mark();',
    'this.#marking = Promise.resolve(true);',
  ),
  one(
    'durable mark',
    dispatcher,
    'await this.#passMark();',
    'this.#passMark().catch(() => undefined);',
  ),
  one(
    'lane holder compared in the mark',
    attempt,
    'if (!holdsLane) return displaced(entry, view, nowMs);',
    'if (!holdsLane && Number.isNaN(nowMs)) return displaced(entry, view, nowMs);',
  ),
  one(
    'the gate after the mark',
    dispatcher,
    'if (!this.gate.take()) {',
    'if (!this.gate.take() && Number.isNaN(sendWindowMs)) {',
  ),
  one(
    'sendBy before each send',
    dispatcher,
    'return () => clock.monotonicMs() < untilMs && clock.nowMs() < untilWallMs;',
    'return () => untilMs > 0 && untilWallMs > 0;',
  ),
  one(
    'a mark for asking again',
    record,
    'return ledger.askAgain({ ...request, attemptId, remoteKeyMs });',
    `void remoteKeyMs;
    return ledger.get(entry.key).then((now) => ({ kind: 'done', entry: now ?? entry }));`,
  ),
  one(
    'asking again only while the key is kept',
    attempt,
    'const keyKnown = nowMs + request.sendWindowMs <= entry.firstSentAtMs + request.remoteKeyMs;',
    'const keyKnown = nowMs > 0;',
  ),
  {
    name: 'lease and patience by the clock of the store',
    patches: [
      {
        file: record,
        find: 'const request = { key: entry.key, token: this.#token, leaseMs, sendWindowMs, patienceMs };',
        put: `const nowMs = settings.clock.nowMs();
    const request = { nowMs, key: entry.key, token: this.#token, leaseMs, sendWindowMs, patienceMs };`,
      },
      {
        file: attempt,
        find: 'return done(changed(entry, dispatched(entry, request, nowMs), nowMs));',
        put: `const { nowMs: ownMs } = request as unknown as { nowMs: number };
  return done(changed(entry, dispatched(entry, request, ownMs), nowMs));`,
      },
    ],
  },
];

const timing: readonly Mutant[] = [
  one(
    'no cancel after dispatch',
    writeAttempt,
    'if (gate.close()) return await this.#tellStopped(moment);',
    "if (gate.close() || moment === 'cancel') return await this.#tellStopped(moment as 'cancel');",
  ),
  one(
    'no mark after timeout',
    writeAttempt,
    'if (gate.close()) return await this.#tellStopped(moment);',
    'if (gate.isOpen) return await this.#tellStopped(moment);',
  ),
  one(
    'give up at timeout',
    writeAttempt,
    "if (moment === 'timer') {",
    "if ((moment as string) === 'never') {",
  ),
  one(
    'withdraw',
    record,
    'wasAsked ? ledger.withdraw(request) : ledger.fail(request)',
    'wasAsked ? ledger.fail(request) : ledger.fail(request)',
  ),
  one('withdraw until it is acknowledged', record, "this.#later('withdraw', withdraw);", ''),
  one('record until it is acknowledged', record, "this.#later('complete', complete);", ''),
];

const proving: readonly Mutant[] = [
  one(
    'patience before a negative verdict',
    proof,
    'if (lookedAtMs < (entry.patientUntilMs ?? 0)) return',
    'if (lookedAtMs < 0) return',
  ),
  one(
    'a verdict is on one generation',
    proof,
    'if (entry.generation !== (request.generation ?? entry.generation)) {',
    'if (entry.generation < 0) {',
  ),
  one(
    'rejection after an unproven send of the same run',
    'http/classify.ts',
    `    last('none') ??
    last('rejected') ??`,
    `    last('rejected') ??
    last('none') ??`,
  ),
  one(
    'rejection after an unproven send of another attempt',
    proof,
    'const unproven = entry.unproven - 1;',
    'const unproven = 0;',
  ),
  refusing('late completion', "entry.state === 'unknown'"),
  refusing('proof from an older token', 'entry.token !== request.token'),
  { ...refusing('proof over verdict', "entry.failedBy === 'verdict'"), wrongVerdicts: true },
  one(
    'announcing what was told to be unknown',
    proof,
    "return !told || state === 'unknown' || state === 'failed';",
    "return told && state === 'ok';",
  ),
];

const claiming: readonly Mutant[] = [
  one(
    'lane block on unknown',
    transition,
    "if (isUnsettled(other, nowMs)) return other.keepsLane ? 'unsettled' : 'free';",
    "if (isUnsettled(other, nowMs)) return 'free';",
  ),
  one(
    'no takeover of what was marked',
    claim,
    ': askUnknown(lostAnswer(entry, nowMs), request, view, nowMs);',
    ': take(request, view, nextAttempt(entry, request, nowMs), nowMs);',
  ),
  one(
    'patience for idempotent re-runs',
    claim,
    'if (request.mayRerun && keptLane && nowMs >= (entry.patientUntilMs ?? 0)) {',
    'if (request.mayRerun && keptLane) {',
  ),
  one(
    'key from the intent',
    'runtime/intent.ts',
    'return intentKey({ scope, tool: tool.name, value, ordinal });',
    `const counted = globalThis as { attempts?: number };
  counted.attempts = (counted.attempts ?? 0) + 1;
  return intentKey({ scope, tool: tool.name, value: [value, counted.attempts], ordinal });`,
  ),
  one(
    'generation on the wire key',
    'key/key.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    'return `${key.slice(0, 22)}-${Math.floor(createdAtMs).toString(36)}-${generation}`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a mutant
    'return `${key.slice(0, 22)}-${Math.floor(createdAtMs).toString(36)}-${Math.sign(generation)}`;',
  ),
  {
    name: 'window from the telling',
    patches: [
      {
        file: 'ledger/entry.ts',
        find: "if (entry.state !== 'ok' || entry.toldAtMs === null || entry.replayMs === null) return false;",
        put: "if (entry.state !== 'ok' || entry.replayMs === null) return false;",
      },
      {
        file: 'ledger/entry.ts',
        find: 'return nowMs >= entry.toldAtMs + entry.replayMs;',
        put: 'return nowMs >= (entry.settledAtMs ?? 0) + entry.replayMs;',
      },
    ],
  },
  one(
    'a repetition only after the first is done',
    'runtime/repeat.ts',
    "if (before?.state !== 'ok') return false;",
    'if (before === undefined) return false;',
  ),
];

/**
 * Every mutant, by the guard that it lacks. What only a long coincidence shows is left to the models of the
 * protocol: when a verdict was looked at, and that an open re-run keeps the lane of a proven write.
 */
export const mutants: readonly Mutant[] = [...marking, ...timing, ...proving, ...claiming];
