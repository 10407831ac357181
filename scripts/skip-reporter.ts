import { existsSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { whyNoSmallDisk } from '../test/support/small-disk.ts';

/** What may be absent on a machine that has everything that can be installed. */
interface MayBeAbsent {
  /** How the name of a test says that it needs it. */
  readonly name: RegExp;
  isAbsent(): boolean;
}

const mayBeAbsent: readonly MayBeAbsent[] = [
  // Optional material, which is no part of the repository.
  {
    name: /\.\.\/shared/,
    isAbsent: () => !existsSync(new URL('../../shared', import.meta.url)),
  },
  // Compiled for one version of Node; the others have node:sqlite in its place.
  {
    name: /better-sqlite3/,
    isAbsent: () => process.getBuiltinModule('node:sqlite') !== undefined,
  },
  {
    name: /node:sqlite/,
    isAbsent: () => process.getBuiltinModule('node:sqlite') === undefined,
  },
  // Root may not mount anything in most containers.
  { name: /no disk to fill/, isAbsent: () => whyNoSmallDisk() !== undefined },
];

/** How many tests there were, by what became of them. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Says each skipped test aloud after a run. With FORTHRIGHT_CI set, a skip fails the run unless its
 * name says that it needs something that may be absent, and that is absent. With FORTHRIGHT_COUNTS set to a path, the
 * counts are written there as JSON. A run of tests chosen by name (`-t`) skips the others on purpose.
 */
export class SkipReporter implements Reporter {
  private isFiltered = false;

  onInit({ config }: Vitest): void {
    this.isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped' && !this.isFiltered);
    const strict = process.env.FORTHRIGHT_CI !== undefined;
    const refused = skipped.filter((test) => strict && !isAllowed(test));
    for (const test of refused) console.log(`SKIPPED, and must not be: ${sayTest(test)}`);
    for (const [group, count] of countByGroup(skipped.filter((test) => !refused.includes(test)))) {
      console.log(`Skipped: ${group}${count === 1 ? '' : ` (${count} tests)`}`);
    }
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const counts: Counts = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: failed + broken + errors.length + refused.length,
      skipped: skipped.length - refused.length,
    };
    if (refused.length > 0) process.exitCode = 1;
    writeCounts(counts);
  }
}

function isAllowed(test: TestCase): boolean {
  return mayBeAbsent.some(({ name, isAbsent }) => name.test(sayTest(test)) && isAbsent());
}

function sayTest(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
  return `${test.module.relativeModuleId} > ${test.fullName}${note}`;
}

/** Tests that are skipped together are said together: by their `describe`, or each by itself. */
function countByGroup(tests: readonly TestCase[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const { parent, module } = test;
    const group =
      parent.type === 'suite' ? `${module.relativeModuleId} > ${parent.fullName}` : sayTest(test);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

function writeCounts(counts: Counts): void {
  const path = process.env.FORTHRIGHT_COUNTS;
  if (path !== undefined) writeFileSync(path, JSON.stringify(counts));
}
