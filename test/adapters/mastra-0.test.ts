import { beforeAll, describe, test, vi } from 'vitest';
import type { AdapterHarness } from '../../src/testing/adapter-cases/harness.ts';
import { adapterContract } from '../../src/testing/index.ts';
import { impossibleByMastra0, isMastra0Installed, mastra0, ofMastra0 } from './mastra-0.ts';
import { mastraHarness } from './mastra-harness.ts';

// The adapter's own import is of this version too.
vi.mock('@mastra/core/tools', () => ofMastra0('@mastra/core/dist/tools/index.js'));

describe.skipIf(!isMastra0Installed)(
  'the adapter cases by Mastra 0, which npm ci in test/workspaces/mastra-0 installs',
  () => {
    let harness: AdapterHarness;
    beforeAll(async () => {
      harness = mastraHarness(await mastra0());
    });
    const late: AdapterHarness = {
      impossible: impossibleByMastra0,
      run: (job) => harness.run(job),
      runPlain: (job) => harness.runPlain(job),
    };
    for (const { name, run } of adapterContract(late)) test(name, run);
  },
);
