import { createRuntime } from '../runtime/create-runtime.ts';
import { type Command, positionals, textOption, UsageError } from './command.ts';
import { withLedger } from './ledger-file.ts';
import { loadTools } from './tool-module.ts';

/** `forthright reconcile` */
export const reconcile: Command = {
  name: 'reconcile',
  summary: 'asks the remote systems about every write that is open',
  help: `Usage: forthright reconcile --tools MODULE [options] LEDGER

Asks once about every unsettled write in a ledger, through the tools that made it: their \`reconcile\`,
and where the remote system honours keys, by sending the same again under the same key. Several may run
together: each write is asked about by one at a time.

MODULE is a JavaScript module of yours that exports the tools, as \`tools\` or by default: a list or a
toolset. Where they need a context, it exports \`contextFor(entry)\` too.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --tools MODULE  the module
  --json          what came of it as one JSON object
  --help          print this

Exit codes: 0 nothing is open any more; 1 something is; 2 the command line is wrong, or the module or
LEDGER cannot be used.`,
  options: { tools: { type: 'string' }, json: { type: 'boolean' } },
  async run(said, { out }) {
    const [path = ''] = positionals(said, 'LEDGER');
    const tools = textOption(said, 'tools');
    if (tools === undefined) throw new UsageError('--tools is missing.');
    const module = await loadTools(tools);
    return await withLedger(path, async (ledger) => {
      const runtime = createRuntime({ ...module, ledger, reconcileEveryMs: false });
      const reconciled = await runtime.reconcile();
      await runtime.close();
      const { asked, settled, open, overdue } = reconciled;
      const text = `Asked about ${asked}; settled ${settled}; ${open} open, ${overdue} of them overdue.\n`;
      await out(said.options.json === true ? `${JSON.stringify(reconciled)}\n` : text);
      return open === 0 ? 0 : 1;
    });
  },
};
