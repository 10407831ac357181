import { check, environments, guards, missingPrograms, twoAtATime } from './check.ts';

/*
 * npm run spec             explores everything
 * npm run spec -- NO_GATE  takes one guard out and tells the story of what happens then
 */

interface Row {
  readonly what: string;
  readonly flags: readonly string[];
  readonly isSound: boolean;
}

const asked = new Set(process.argv.slice(2));

const rows: readonly Row[] = [
  ...Object.entries(environments).map(([what, flags]) => ({ what, flags, isSound: true })),
  ...guards.map(({ flag, guard, around }) => ({
    what: `without: ${guard}`,
    flags: [...environments[around], flag],
    isSound: false,
  })),
].filter(({ flags }) => asked.size === 0 || flags.some((flag) => asked.has(flag)));

async function explore({ what, flags, isSound }: Row): Promise<void> {
  const { violated, states, story } = await check(flags);
  const isAsExpected = isSound === (violated === undefined);
  if (!isAsExpected) process.exitCode = 1;
  const found = violated === undefined ? 'holds' : `breaks ${violated}`;
  const mark = isAsExpected ? '' : '  <- NOT AS EXPECTED';
  const columns = [what.padEnd(56), found.padEnd(24), `${states} states`.padStart(16)];
  console.log(`${columns.join('')}  ${flags.join(' ')}${mark}`);
  if (asked.size > 0 || !isAsExpected) console.log(story);
}

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`SKIPPED: the models need ${missing.join(' and ')} (apt-get install spin gcc).`);
  process.exitCode = process.env.FORTHRIGHT_CI === undefined ? 0 : 1;
} else if (rows.length === 0) {
  console.error(`No guard is called ${[...asked].join(' or ')}; see spec/README.md.`);
  process.exitCode = 1;
} else {
  await twoAtATime(rows, explore);
}
