import type { Entry } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { memoryLedger } from '../../ledger/memory-ledger.ts';
import type { Act, CallRecord } from './acts.ts';
import { Agenda, type Happening } from './agenda.ts';
import type { LedgerSeen, LedgerStep } from './ledger-port.ts';
import { beginningMs } from './numbers.ts';
import type { Process } from './process.ts';
import { Promises } from './promises.ts';
import { Remote } from './remote.ts';
import { laneOf, type ToolKind } from './tools.ts';

/** What a simulated world is like, beside its seed. */
export interface WorldOptions {
  /** Whether what happens is written down. */
  readonly recorded: boolean;
  /** Whether a process may stand still between its last look at the time and its send. */
  readonly freezesBeforeSend: boolean;
}

/** Several processes, a ledger, a remote system and their time. */
export class World {
  nowMs: number = beginningMs;
  readonly options: WorldOptions;
  readonly agenda: Agenda;
  readonly store: Ledger = memoryLedger({ nowMs: () => this.nowMs });
  readonly promises: Promises = new Promises(this);
  readonly remote: Remote = new Remote(this);
  readonly processes: Map<string, Process> = new Map();
  readonly calls: CallRecord[] = [];
  /** Each entry as the ledger last gave it to anybody. */
  readonly entries: Map<string, Entry> = new Map();
  /** What happened, in words. */
  readonly lines: string[] = [];
  /** How long, at most, somebody was taken to be at work on a key. */
  readonly #leases = new Map<string, number>();
  /** Keys about which somebody asked by sending again. */
  readonly #askedAgain = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  constructor(options: WorldOptions) {
    this.options = options;
    this.agenda = new Agenda(options.recorded);
  }

  /** Writes a line of the story. */
  tell(words: () => string): void {
    if (!this.options.recorded) return;
    const atS = ((this.nowMs - beginningMs) / 1000).toFixed(3);
    this.lines.push(`${atS.padStart(8)} s  ${words()}`);
  }

  /** Lets something that is pending end. */
  end(happening: Happening, end: string): void {
    const goesWithoutSaying = happening.isQuiet === true && end === happening.ends[0];
    if (!goesWithoutSaying) this.tell(() => `${this.agenda.nameOf(happening)} ${end}`);
    this.agenda.end(happening, end);
  }

  /** Some code takes its time; resolves when the story says so. */
  takesTime(owner: Process, words: () => string): Promise<void> {
    return new Promise((resolve) => {
      this.agenda.add({ words, where: 'host', owner, ends: ['goes on'], happen: () => resolve() });
    });
  }

  /** What stands between the last look at the time and a send: nothing, unless that is asked for. */
  async beforeSend(process: Process, act: Act): Promise<void> {
    if (!this.options.freezesBeforeSend) return;
    await this.takesTime(process, () => `the send of ${act.words()}`);
  }

  /** A tool begins to run. */
  begin(
    kind: ToolKind,
    input: { readonly order: number; readonly amount: number },
    wire: string,
    process: Process,
    call: CallRecord | undefined,
  ): Act {
    const key = this.keyOfWire(wire);
    const act: Act = {
      kind,
      intent: call?.intent ?? this.#intentOf(key, kind, input),
      lane: laneOf(kind, input),
      call,
      key,
      process,
      startedMs: this.nowMs,
      requests: [],
      words: () => this.nameOfKey(key),
    };
    if (call === undefined) this.#askedAgain.add(key);
    call?.acts.push(act);
    return act;
  }

  /** Learns, from a claim that is asked for, what a key stands for. */
  meet(step: LedgerStep, request: unknown): void {
    if (step !== 'claim') return;
    const { key, tool, input } = request as Pick<Entry, 'key' | 'tool' | 'input'>;
    if (this.#names.has(key)) return;
    this.#keys.set(startOf(key), key);
    const { order, amount } = JSON.parse(input) as { order: number; amount: number };
    this.#names.set(key, `${tool} ${order}/${amount}`);
  }

  /** A step of the ledger has taken effect. */
  seen(seen: LedgerSeen): void {
    const { process, step, args, answer } = seen;
    const given = answer as { readonly kind?: string; readonly entry?: Entry | null } | undefined;
    const before = this.entries.get(given?.entry?.key ?? '');
    if (given?.entry) this.#know(given.entry);
    if (given?.kind !== undefined) {
      this.tell(() => {
        const state = given.entry ? `, ${given.entry.state}, token ${given.entry.token}` : '';
        return `${process.name}: ${step}${this.aboutRequest(args[0])} → ${given.kind}${state}`;
      });
    }
    this.promises.ledger(seen, before);
  }

  /** Whether somebody asked about a key by sending again: what an older token says then counts less. */
  wasAskedAgain(key: string): boolean {
    return this.#askedAgain.has(key);
  }

  aboutRequest(request: unknown): string {
    const key = typeof request === 'object' ? Reflect.get(request ?? {}, 'key') : request;
    return typeof key === 'string' ? ` of ${this.nameOfKey(key)}` : '';
  }

  nameOfKey(key: string): string {
    return this.#names.get(key) ?? 'a write';
  }

  nameOfWire(wire: string): string {
    return this.nameOfKey(this.keyOfWire(wire));
  }

  keyOfWire(wire: string): string {
    return this.#keys.get(startOf(wire)) ?? wire;
  }

  /** Whether an identical call was at work, as far as can be known, while this one was open. */
  wasAnotherOpen(call: CallRecord): boolean {
    const others = this.calls.filter((one) => one !== call && one.intent === call.intent);
    if (others.some((one) => isAtWork(one) || (one.toldMs ?? 0) >= call.startedMs)) return true;
    const leaseMs = this.#leases.get(call.key ?? '') ?? 0;
    const mayHoldLease = others.some(isPerhapsAtWork) || this.wasAskedAgain(call.key ?? '');
    // A process without a turn has no clock but its own to tell a lost claim from a live one.
    return mayHoldLease && leaseMs + call.process.slownessMs >= call.startedMs;
  }

  #know(entry: Entry): void {
    const { key, leaseUntilMs } = entry;
    this.entries.set(key, entry);
    this.#leases.set(key, Math.max(this.#leases.get(key) ?? 0, leaseUntilMs ?? 0));
  }

  #intentOf(key: string, kind: ToolKind, input: { order: number; amount: number }): string {
    const first = this.calls.find((call) => call.acts.some((act) => act.key === key));
    return first?.intent ?? `${kind.name} ${input.order}/${input.amount}`;
  }
}

/** What a key has in common with what goes over the wire for it. */
function startOf(key: string): string {
  return key.slice(0, 22);
}

function isAtWork({ told, process }: CallRecord): boolean {
  return told === undefined && !process.isDead;
}

/** Its process died, or it was told with something left to be done or recorded. */
function isPerhapsAtWork({ told, process }: CallRecord): boolean {
  if (told === undefined) return process.isDead;
  const isPending = told.warnings.some(({ code }) => code === 'record_pending');
  return told.outcome === 'unknown' || isPending || told.code === 'ledger_unavailable';
}
