// What is measured is what is shipped; the types stand beside the source.
const dist = new URL('../dist/', import.meta.url);
const built = async (path: string): Promise<unknown> => import(`${dist}${path}`);

export const { parseStrict } = (await built(
  'decode/strict-json.js',
)) as typeof import('../src/decode/strict-json.ts');
export const { defaultLimits } = (await built(
  'decode/limits.js',
)) as typeof import('../src/decode/limits.ts');
export const { intentKey } = (await built('key/key.js')) as typeof import('../src/key/key.ts');
export const { Lanes } = (await built(
  'execute/lanes.js',
)) as typeof import('../src/execute/lanes.ts');
export const { pause, systemClock } = (await built(
  'call/clock.js',
)) as typeof import('../src/call/clock.ts');
