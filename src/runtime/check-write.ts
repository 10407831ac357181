import type { JsonValue } from '../call/json.ts';
import { type FailedResult, failed, type OkResult, ok } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import { tool } from '../decode/define-tool.ts';
import type { Entry } from '../ledger/entry.ts';
import { type Parts, step } from './parts.ts';
import { askAboutKey } from './reconcile.ts';
import { openResult } from './told.ts';

/** The name of the tool by which a model asks what became of a write. */
export const checkWriteName = 'check_write';

/** The read tool that every runtime with writes offers: it sees the writes of its own scope only. */
export function checkWriteTool(parts: () => Parts): AnyTool {
  return tool({
    name: checkWriteName,
    description:
      'Asks what became of an earlier write whose outcome was not certain. Takes the ref of its result.',
    effect: 'read',
    input: {
      type: 'object',
      properties: { ref: { type: 'string', description: 'The ref of the earlier result.' } },
      required: ['ref'],
      additionalProperties: false,
    },
    run: ({ ref }, { scope }) => checkWrite(parts(), String(ref), scope),
  });
}

async function checkWrite(
  parts: Parts,
  ref: string,
  scope: string,
): Promise<OkResult<JsonValue> | FailedResult> {
  const entry = await step(parts, 'get', parts.ledger.get(ref));
  if (entry === undefined || entry.scope !== scope) {
    return failed('unknown_ref', 'No earlier write has this ref.', {
      nextActions: ['Use the ref exactly as an earlier result gave it.'],
      outputs: { parameterName: 'ref' },
    });
  }
  await askAboutKey(parts, ref);
  const asked = (await step(parts, 'get', parts.ledger.get(ref))) ?? entry;
  return tellState(parts, asked);
}

async function tellState(parts: Parts, entry: Entry): Promise<OkResult<JsonValue>> {
  const facts = { tool: entry.tool, ref: entry.key };
  switch (entry.state) {
    case 'ok': {
      const first = await openResult(entry, parts);
      await step(parts, 'tell', parts.ledger.tell(entry.key, 'check'));
      const data = first?.outcome === 'ok' ? first.data : null;
      return ok('It is confirmed: it was done.', { ...facts, outcome: 'ok', data });
    }
    case 'failed':
      await step(parts, 'tell', parts.ledger.tell(entry.key, 'check'));
      return (await wasDoneBefore(parts, entry))
        ? ok('It was done before; doing it again later was not done.', {
            ...facts,
            outcome: 'ok',
            again: 'failed',
          })
        : ok('It is confirmed: it was not done, nothing changed.', { ...facts, outcome: 'failed' });
    case 'unknown':
      return ok(
        'It is not confirmed yet; it may have happened.',
        { ...facts, outcome: 'unknown' },
        {
          nextActions: ['Tell the user that it is being confirmed. Do not repeat the write.'],
        },
      );
    case 'claimed':
    case 'dispatched':
      return ok(
        'It is running now.',
        { ...facts, outcome: 'in_progress' },
        {
          nextActions: ['Wait for it, then check again.'],
        },
      );
  }
}

/** Whether an earlier write of this key is proven: it is not the latest one that a ref stands for. */
async function wasDoneBefore(parts: Parts, entry: Entry): Promise<boolean> {
  if (entry.generation === 1) return false;
  const history = await step(parts, 'history', parts.ledger.history(entry.key));
  return (history?.events ?? []).some(
    (event) =>
      event.generation < entry.generation &&
      (event.what === 'answered' || (event.what === 'settled' && event.verdict === 'happened')),
  );
}
