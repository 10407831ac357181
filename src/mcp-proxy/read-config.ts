import { failed } from '../call/result.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Defect } from '../call/tool-error.ts';
import { decode } from '../decode/decode.ts';
import { tool } from '../decode/define-tool.ts';
import { toolset } from '../decode/toolset.ts';
import { actionOf, sentenceOf } from '../decode/words.ts';
import type { ProxyConfig, ToolRule } from './config.ts';
import { configSchema } from './config-schema.ts';

/** The file is decoded as the arguments of a call are: as strictly, and with the same words. */
const file: AnyTool = tool({
  name: 'config',
  description: '',
  effect: 'read',
  input: configSchema,
  run: () => failed('tool_failed', 'Nothing runs here.'),
});

const files = toolset([file]);

/** Reads the text of a configuration file; each problem names the place and says what to do. */
export function readConfig(text: string): Step<ProxyConfig, readonly string[]> {
  const decoded = decode(files, { name: file.name, arguments: text });
  if (!decoded.ok) {
    return refuse(decoded.error.defects.map(sayDefect));
  }
  const config = decoded.value.input as unknown as ProxyConfig;
  const problems = Object.entries(config.tools ?? {}).flatMap(([name, rule]) =>
    problemsOf(rule).map((problem) => `/tools/${name}: ${problem}`),
  );
  return problems.length > 0 ? refuse(problems) : pass(config);
}

function sayDefect(defect: Defect): string {
  switch (defect.code) {
    case 'missing_argument':
      return `${defect.path} is missing. Give ${defect.expectedShape}.`;
    case 'invalid_argument_shape': {
      const near =
        defect.nearest === undefined ? '' : ` Is ${JSON.stringify(defect.nearest)} meant?`;
      return `${defect.path} must be ${defect.expectedShape}; ${defect.actualShape} came.${near}`;
    }
    case 'unexpected_argument': {
      const other = defect.nearest === undefined ? '' : `, or name it ${defect.nearest}`;
      return `${defect.path} is no setting. Leave it out${other}.`;
    }
    default:
      return `${sentenceOf(defect, 'The file')} ${actionOf(defect)}`;
  }
}

const forWrites = [
  'idempotent',
  'key',
  'keepLane',
  'replayMs',
  'requestMaxMs',
  'marginMs',
  'errorMeans',
  'repeat',
  'reconcile',
] as const;

/** What a schema cannot say. */
function problemsOf(rule: ToolRule): readonly string[] {
  const problems: string[] = [];
  if (rule.effect === 'read') {
    const stray = forWrites.filter((name) => rule[name] !== undefined);
    if (stray.length > 0) problems.push(`${stray.join(', ')} is for writes. Leave it out.`);
  }
  const { reconcile } = rule;
  if (reconcile === undefined) return problems;
  const conditions = [...(reconcile.happened ?? []), ...(reconcile.didNotHappen ?? [])];
  if (conditions.length === 0) {
    problems.push('reconcile says nothing of the answer. Give happened or didNotHappen.');
  }
  for (const { at, equals, contains, exists } of conditions) {
    const said = [equals, contains, exists].filter((value) => value !== undefined).length;
    if (said !== 1) problems.push(`the condition at ${at} takes one of equals, contains, exists.`);
    if (!/^\/(?:[^~]|~[01])*$/.test(at)) {
      problems.push(`${at} is no JSON Pointer. Write it as /structuredContent/total.`);
    }
  }
  return problems;
}
