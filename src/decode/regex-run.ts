import type { RegexNode } from './regex-parse.ts';

/** One step of a compiled expression; a thread goes on with the next one, or where it is sent. */
type Instruction =
  | { readonly op: 'char'; readonly test: (char: string) => boolean }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly kind: 'start' | 'end' | 'boundary' | 'no boundary' }
  | { readonly op: 'ahead'; readonly program: Program; readonly negated: boolean }
  | { readonly op: 'match' };

/** A compiled expression. */
export type Program = readonly Instruction[];

/** Counted repeats are written out; what would be longer is left to the engine. */
const longestProgram = 5000;

/** Compiles an expression; undefined where it would be too long. */
export function compileRegex(node: RegexNode): Program | undefined {
  const program: Instruction[] = [];
  if (!emit(program, node)) return undefined;
  program.push({ op: 'match' });
  return program;
}

function emit(program: Instruction[], node: RegexNode): boolean {
  if (program.length > longestProgram) return false;
  switch (node.kind) {
    case 'char':
      program.push({ op: 'char', test: node.test });
      return true;
    case 'sequence':
      return node.items.every((item) => emit(program, item));
    case 'choice':
      return emitChoice(program, node.branches);
    case 'repeat':
      return emitRepeat(program, node.item, node.min, node.max);
    case 'ahead': {
      const inner = compileRegex(node.item);
      if (inner === undefined) return false;
      program.push({ op: 'ahead', program: inner, negated: node.negated });
      return true;
    }
    default:
      program.push({ op: 'assert', kind: node.kind });
      return true;
  }
}

function emitChoice(program: Instruction[], branches: readonly RegexNode[]): boolean {
  const ends: { op: 'jump'; to: number }[] = [];
  for (const [index, branch] of branches.entries()) {
    const isLast = index === branches.length - 1;
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    if (!isLast) program.push(split);
    if (!emit(program, branch)) return false;
    const end = { op: 'jump' as const, to: 0 };
    if (!isLast) program.push(end);
    ends.push(end);
    split.second = program.length;
  }
  for (const end of ends) end.to = program.length;
  return true;
}

function emitRepeat(program: Instruction[], item: RegexNode, min: number, max: number): boolean {
  for (let count = 0; count < min; count++) if (!emit(program, item)) return false;
  if (max === Number.POSITIVE_INFINITY) {
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    if (!emit(program, item)) return false;
    program.push({ op: 'jump', to: program.indexOf(split) });
    split.second = program.length;
    return true;
  }
  const skips: { op: 'split'; first: number; second: number }[] = [];
  for (let count = min; count < max; count++) {
    const skip = { op: 'split' as const, first: program.length + 1, second: 0 };
    program.push(skip);
    skips.push(skip);
    if (!emit(program, item)) return false;
  }
  for (const skip of skips) skip.second = program.length;
  return true;
}

/**
 * Whether an expression matches anywhere in a text, by following all its threads at once (Thompson,
 * 1968): at most one thread an instruction and character, however the expression is written. `steps`
 * bounds the work; where it does not suffice, the text counts as not matching.
 */
export function runRegex(program: Program, chars: readonly string[], steps = 20_000_000): boolean {
  return new Simulation(chars, steps).matchesFrom(program, 0, false);
}

class Simulation {
  private readonly chars: readonly string[];
  private steps: number;

  constructor(chars: readonly string[], steps: number) {
    this.chars = chars;
    this.steps = steps;
  }

  matchesFrom(program: Program, start: number, isAnchored: boolean): boolean {
    const seen = new Int32Array(program.length).fill(-1);
    let threads: number[] = [];
    for (let at = start; at <= this.chars.length; at++) {
      const isStarting = at === start || !isAnchored;
      const open = isStarting ? [...threads, 0] : threads;
      if (open.length === 0 && isAnchored) return false;
      const ready = this.follow(program, open, at, seen);
      if (ready === 'matched') return true;
      if (ready === 'exhausted') return false;
      threads = this.step(program, ready, at);
    }
    return false;
  }

  /** The instructions that wait for a character, reached without taking one. */
  private follow(
    program: Program,
    from: readonly number[],
    at: number,
    seen: Int32Array,
  ): readonly number[] | 'matched' | 'exhausted' {
    const open = [...from];
    const ready: number[] = [];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen[next] === at) continue;
      seen[next] = at;
      if (--this.steps < 0) return 'exhausted';
      const instruction = program[next] as Instruction;
      if (instruction.op === 'match') return 'matched';
      if (instruction.op === 'char') ready.push(next);
      else if (instruction.op === 'split') open.push(instruction.second, instruction.first);
      else if (instruction.op === 'jump') open.push(instruction.to);
      else if (this.holds(instruction, at)) open.push(next + 1);
    }
    return ready;
  }

  private step(program: Program, ready: readonly number[], at: number): number[] {
    const char = this.chars[at];
    if (char === undefined) return [];
    const threads: number[] = [];
    for (const thread of ready) {
      const instruction = program[thread] as Instruction & { readonly op: 'char' };
      if (instruction.test(char)) threads.push(thread + 1);
    }
    return threads;
  }

  private holds(
    instruction: Instruction & { readonly op: 'assert' | 'ahead' },
    at: number,
  ): boolean {
    if (instruction.op === 'ahead') {
      return this.matchesFrom(instruction.program, at, true) !== instruction.negated;
    }
    if (instruction.kind === 'start') return at === 0;
    if (instruction.kind === 'end') return at === this.chars.length;
    const isBoundary = isWord(this.chars[at - 1]) !== isWord(this.chars[at]);
    return isBoundary === (instruction.kind === 'boundary');
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^[A-Za-z0-9_]$/.test(char);
}
