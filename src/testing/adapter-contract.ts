import { adapterCaseTable } from './adapter-cases/cases.ts';
import { type AdapterHarness, inItsWay, whyImpossible } from './adapter-cases/harness.ts';
import { judgeCase } from './adapter-cases/observe.ts';
import type { ContractCase } from './ledger-contract.ts';

/**
 * What must hold behind every adapter, as cases for any test runner, each one generated and streamed:
 * no tool runs with a value other than what the text says, the model receives our results and nothing
 * of the framework's own, the run goes on, and each write has one effect.
 */
export function adapterContract(harness: AdapterHarness): readonly ContractCase[] {
  return adapterCaseTable.flatMap((one) =>
    [false, true]
      .filter((isStreamed) => whyImpossible(harness, one.name, isStreamed) === undefined)
      .map((isStreamed) => ({
        name: inItsWay(one.name, isStreamed),
        run: async () => {
          const { complaints } = await judgeCase(harness, one, isStreamed);
          if (complaints.length > 0) throw new Error(`${one.name}: ${complaints.join('; ')}`);
        },
      })),
  );
}
