import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Around what the protocol is played, by the flags of `protocol.pml`. */
export const environments = {
  'three attempts at one intent': [],
  'two intents in one lane': ['KEYS=2'],
  'a remote system that honours keys': ['KEYED'],
  'an idempotent tool': ['RERUN'],
  'an idempotent tool, and another intent in its lane': ['RERUN', 'KEYS=2'],
  'an operator who denies what happened': ['WRONG_VERDICT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of them. */
export type Environment = keyof typeof environments;

/** One guard of the code, and where it is missed once it is taken out. */
export interface Guard {
  /** What takes it out, in `ledger.pml` or `protocol.pml`. */
  readonly flag: string;
  readonly guard: string;
  readonly around: Environment;
}

const plain = 'three attempts at one intent';
const keyed = 'a remote system that honours keys';
const lane = 'two intents in one lane';
const rerun = 'an idempotent tool';
const rerunLane = 'an idempotent tool, and another intent in its lane';
const mistaken = 'an operator who denies what happened';

/** Each guard that a promise rests on. */
export const guards: readonly Guard[] = [
  { flag: 'NO_FENCE', around: plain, guard: 'a mark is for its own token, from claimed' },
  { flag: 'SEND_BEFORE_MARK', around: plain, guard: 'the mark comes before the send' },
  { flag: 'VOLATILE_MARK', around: plain, guard: 'the mark is durable' },
  { flag: 'NO_GATE', around: plain, guard: 'the gate is looked at after the mark' },
  { flag: 'NO_WITHDRAW', around: plain, guard: 'what was marked and not sent is withdrawn' },
  { flag: 'NO_SENDBY', around: plain, guard: 'each send looks at sendBy first' },
  { flag: 'CANCEL_AFTER_SEND', around: plain, guard: 'no cancelling once it has left' },
  { flag: 'EAGER_VERDICT', around: plain, guard: 'a negative verdict is patient' },
  { flag: 'NO_RENEW', around: plain, guard: 'a pending send holds a negative verdict off' },
  {
    flag: 'VERDICT_OF_BEFORE',
    around: plain,
    guard: 'what was looked up too early does not count',
  },
  {
    flag: 'VERDICT_OF_ANY_GENERATION',
    around: plain,
    guard: 'a verdict is about one generation',
  },
  { flag: 'NO_TELLING', around: plain, guard: 'the replay window starts with the telling' },
  {
    flag: 'REJECTION_PROVES',
    around: keyed,
    guard: 'no rejection counts while a send is unproven',
  },
  { flag: 'RETRY_PROVES', around: keyed, guard: 'nor one of a run’s second send' },
  { flag: 'UNMARKED_ASK', around: keyed, guard: 'asking again has a mark of its own' },
  { flag: 'STALE_KEY', around: keyed, guard: 'no key is relied on that may be forgotten' },
  { flag: 'KEY_OF_ATTEMPT', around: keyed, guard: 'the wire key is the intent’s' },
  { flag: 'NO_GENERATION_ON_WIRE', around: keyed, guard: 'the wire key has the generation' },
  { flag: 'NO_LATE_PROOF', around: mistaken, guard: 'proof counts late' },
  { flag: 'LATEST_PROOF_ONLY', around: mistaken, guard: 'proof counts from an older token' },
  { flag: 'VERDICT_STANDS', around: mistaken, guard: 'proof wins over a verdict' },
  { flag: 'NO_HOLDER', around: lane, guard: 'the mark compares the lane’s holder' },
  { flag: 'NO_LANE_BLOCK', around: lane, guard: 'an unsettled write keeps its lane' },
  { flag: 'RERUN_RESTS_ON_FAILED', around: rerun, guard: 'a re-run falls back to unknown' },
  { flag: 'IMPATIENT_RERUN', around: rerunLane, guard: 'a re-run is patient' },
  {
    flag: 'NO_KEPT_LANE',
    around: rerunLane,
    guard: 'an open re-run keeps the lane of a proven one',
  },
];

/** What the exploration of all interleavings found. */
export interface Verdict {
  /** The promise that is broken, by its name in `protocol.pml`; undefined: none is. */
  readonly violated: string | undefined;
  /** How it comes to that, one step a line; empty where nothing is broken. */
  readonly story: string;
  readonly states: number;
}

const run = promisify(execFile);
const models: readonly string[] = ['ledger.pml', 'protocol.pml'];
const model = 'protocol.pml';
const longestMs = 600_000;
/** In megabytes; the largest model takes a third of it. */
const mostMemoryMb = 2_000;
const deepest = 100_000;

/** Which of the programs that are needed are not installed (Debian: spin, gcc). */
export function missingPrograms(): readonly string[] {
  const asked: readonly (readonly [string, string])[] = [
    ['spin', '-V'],
    ['gcc', '--version'],
  ];
  return asked.filter(([name, how]) => spawnSync(name, [how]).error).map(([name]) => name);
}

/** Explores the model with these flags; rejects where it could not be explored to its end. */
export async function check(flags: readonly string[]): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'forthright-spec-'));
  const options = { cwd: folder, timeout: longestMs, maxBuffer: 64 * 1024 * 1024 };
  try {
    // Spin writes beside its input.
    for (const name of models) {
      await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
    }
    const defined = flags.map((flag) => `-D${flag}`);
    await run('spin', [...defined, '-a', model], options);
    // What has a guard taken out is over soon; for the rest a faster program is worth compiling.
    const speed = flags.some((flag) => guards.some((its) => its.flag === flag)) ? '-O0' : '-O1';
    const space = ['-DSAFETY', '-DCOLLAPSE', `-DMEMLIM=${mostMemoryMb}`];
    await run('gcc', [speed, '-w', ...space, '-o', 'pan', 'pan.c'], options);
    const { stdout } = await run('./pan', [`-m${deepest}`, '-w24', '-n'], options);
    const violated = /assertion violated (\w+)/.exec(stdout)?.[1];
    const states = Number(/(\d+) states, stored/.exec(stdout)?.[1] ?? Number.NaN);
    if (violated !== undefined) {
      const trail = await run('spin', [...defined, '-t', model], options);
      const story = storyOf(trail.stdout);
      if (story === '') throw new Error(`There is no story in this:\n${trail.stdout}`);
      return { violated, states, story };
    }
    const isComplete = /errors: 0/.test(stdout) && !/not completed|too small|MEMLIM/.test(stdout);
    if (!isComplete) throw new Error(`The model was not explored to its end:\n${stdout}`);
    return { violated, states, story: '' };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Calls `work` with each item, two at a time. */
export async function twoAtATime<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

/**
 * The steps in what `spin -t` prints, up to where it says what came of them. Where the model was written
 * within the second in which its trail was, Spin begins with a warning that it is newer.
 */
export function storyOf(trail: string): string {
  const lines = trail.split('\n').filter((line) => !line.startsWith('spin: warning'));
  const end = lines.findIndex((line) => line.startsWith('spin: '));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('entry') ? `    ${line}` : line))
    .join('\n');
}
