import type { JsonObject } from '../call/json.ts';
import type { RepeatRule } from '../call/tool.ts';
import { hasParameter } from './parameter-path.ts';

/** A spec as it may come from JavaScript, with nothing yet sure. */
type AnySpec = Readonly<Record<string, unknown>>;

const nameForm = /^[A-Za-z0-9_-]{1,64}$/;
const durations = ['timeoutMs', 'requestMaxMs', 'marginMs', 'remoteKeyMs', 'replayMs'];
const functions = ['lane', 'available', 'reconcile'];
const flags = ['idempotent', 'keepLane'];

/** What is wrong with a spec by itself, before its schema is looked at; the first thing, or nothing. */
export function problemOfSpec(spec: AnySpec): string | undefined {
  if (typeof spec.name !== 'string' || !nameForm.test(spec.name)) {
    return 'its name must be 1 to 64 letters, digits, _ and - (A-Z a-z 0-9 _ -)';
  }
  if (typeof spec.description !== 'string') return 'its description must be a string';
  if (spec.effect !== 'read' && spec.effect !== 'write')
    return "its effect must be 'read' or 'write'";
  if (typeof spec.run !== 'function') return 'its run must be a function';
  if (!isSchema(spec.input)) return 'its input must be a schema';
  if (spec.output !== undefined && !isSchema(spec.output)) return 'its output must be a schema';
  if (spec.context !== undefined && !hasStandard(spec.context)) {
    return 'its context must be a Standard Schema (zod, valibot, arktype)';
  }
  return problemOfOptions(spec);
}

function problemOfOptions(spec: AnySpec): string | undefined {
  for (const name of durations) {
    if (spec[name] !== undefined && !isDuration(spec[name], name)) {
      return `its ${name} must be a finite number of milliseconds greater than 0`;
    }
  }
  for (const name of functions) {
    if (spec[name] !== undefined && typeof spec[name] !== 'function') {
      return `its ${name} must be a function`;
    }
  }
  for (const name of flags) {
    if (spec[name] !== undefined && typeof spec[name] !== 'boolean') {
      return `its ${name} must be true or false`;
    }
  }
  if (spec.twin !== undefined && spec.twin !== 'skip' && spec.twin !== 'wait') {
    return "its twin must be 'skip' or 'wait'";
  }
  if (spec.askUser !== undefined && !isNames(spec.askUser)) {
    return 'its askUser must be a list of parameter names';
  }
  return problemOfKey(spec.key) ?? problemOfRepeat(spec.repeat);
}

/** What in a spec names parameters that the schema does not have; the first thing, or nothing. */
export function problemOfNames(spec: AnySpec, parameters: JsonObject): string | undefined {
  const ignore = typeof spec.key === 'object' ? (spec.key as { ignore: string[] }).ignore : [];
  const strayIgnored = ignore.filter((path) => !hasParameter(parameters, path));
  if (strayIgnored.length > 0) {
    return `its key.ignore names ${strayIgnored.join(', ')}, which its schema does not have`;
  }
  const asked = (spec.askUser ?? []) as string[];
  const strayAsked = asked.filter((path) => !hasParameter(parameters, path));
  if (strayAsked.length > 0) {
    return `its askUser names ${strayAsked.join(', ')}, which its schema does not have`;
  }
  return undefined;
}

/** What the ordinal's argument is called; undefined for a tool that cannot be repeated. */
export function ordinalName(spec: AnySpec): string | undefined {
  if (spec.repeat === undefined) return undefined;
  return (spec.repeat as true | RepeatRule<unknown, unknown>) === true
    ? 'occurrence'
    : ((spec.repeat as RepeatRule<unknown, unknown>).argument ?? 'occurrence');
}

function problemOfKey(key: unknown): string | undefined {
  if (key === undefined || typeof key === 'function') return undefined;
  const ignore = typeof key === 'object' && key !== null ? Reflect.get(key, 'ignore') : undefined;
  if (!isNames(ignore) || ignore.some((path) => path.split('.').includes(''))) {
    return 'its key must be a function or { ignore: [paths] }';
  }
  return undefined;
}

function problemOfRepeat(repeat: unknown): string | undefined {
  if (repeat === undefined || repeat === true) return undefined;
  if (typeof repeat !== 'object' || repeat === null) return 'its repeat must be true or a rule';
  const { argument, allow } = repeat as Record<string, unknown>;
  if (argument !== undefined && !(typeof argument === 'string' && nameForm.test(argument))) {
    return 'its repeat.argument must be a parameter name';
  }
  return allow === undefined || typeof allow === 'function'
    ? undefined
    : 'its repeat.allow must be a function';
}

/** `replayMs` may be infinite, and a remote system may need no margin. */
function isDuration(value: unknown, name: string): boolean {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  if (name === 'marginMs' && value === 0) return true;
  return value > 0 && (Number.isFinite(value) || name === 'replayMs');
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

/** arktype's schemas are functions. */
function isSchema(value: unknown): boolean {
  return (
    (typeof value === 'object' && value !== null && !Array.isArray(value)) || hasStandard(value)
  );
}

function hasStandard(value: unknown): boolean {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    '~standard' in value
  );
}
