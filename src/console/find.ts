import { type Entry, type EntryState, isUnsettled } from '../ledger/entry.ts';
import type { EntryQuery, Ledger } from '../ledger/ledger.ts';
import { rowOf } from './show.ts';
import { type Found, type OutcomeFilter, outcomes } from './views.ts';

/** What is asked for, as it stands in the address of the page. */
export interface Filter {
  readonly query: EntryQuery;
  readonly outcome?: OutcomeFilter;
  /** Finds entries by the thing that they are about: the end of a declared lane, `4512` for `order:4512`. */
  readonly entity?: string;
}

const pageLength = 50;
/** One request looks at this many entries at most; the page goes on with another one. */
const mostLookedAt = 2_000;
const open = ['claimed', 'dispatched', 'unknown'] as const;

/** The filter that an address holds, or why it holds none. */
export function filterFrom(params: URLSearchParams): Filter | { readonly problem: string } {
  const text = (name: string): string | undefined => params.get(name)?.trim() || undefined;
  const key = text('key')
    ?.toLowerCase()
    .replace(/-[0-9a-z]+-\d+$/, '');
  if (key !== undefined && !/^[0-9a-f]{4,64}$/.test(key)) {
    return { problem: 'A key has 64 hexadecimal digits; 4 of them are needed at least.' };
  }
  const outcome = outcomes.find((its) => its === text('outcome'));
  if (outcome === undefined && text('outcome') !== undefined) {
    return { problem: `An outcome is one of ${outcomes.join(', ')}.` };
  }
  const from = momentFrom(text('from'));
  const before = momentFrom(text('before'));
  if (Number.isNaN(from) || Number.isNaN(before)) {
    return { problem: 'A time is given in milliseconds since 1970.' };
  }
  const after = placeFrom(text('cursor'));
  if (after === null) return { problem: 'The cursor is not one that this console gave.' };
  const [scope, tool, lane, entity] = [text('scope'), text('tool'), text('lane'), text('entity')];
  return {
    query: {
      newestFirst: true,
      ...(key === undefined ? {} : { keyStart: key }),
      ...(scope === undefined ? {} : { scope }),
      ...(tool === undefined ? {} : { tool }),
      ...(lane === undefined ? {} : { lane }),
      ...(outcome === undefined ? {} : { states: statesOf(outcome) }),
      ...(from === undefined ? {} : { createdFromMs: from }),
      ...(before === undefined ? {} : { createdBeforeMs: before }),
      ...(after === undefined ? {} : { after }),
    },
    ...(outcome === undefined ? {} : { outcome }),
    ...(entity === undefined ? {} : { entity }),
  };
}

/** One page of what fits a filter, newest first, and where the next one begins. */
export async function find(ledger: Ledger, filter: Filter, nowMs: number): Promise<Found> {
  const lanes = await lanesOf(ledger, filter);
  const rows: Entry[] = [];
  let { after } = filter.query;
  for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += pageLength) {
    const query = { ...filter.query, limit: pageLength, ...(after && { after }) };
    const page = await listIn(ledger, query, lanes);
    for (const entry of page) {
      if (!fits(entry, filter, nowMs)) continue;
      rows.push(entry);
      if (rows.length === pageLength) return found(rows, nowMs, entry);
    }
    if (page.length < pageLength) return found(rows, nowMs);
    after = page.at(-1);
  }
  return { ...found(rows, nowMs, after as Entry), searchedToMs: (after as Entry).createdAtMs };
}

function found(rows: readonly Entry[], nowMs: number, last?: Entry): Found {
  const next = last && { next: `${last.createdAtMs}-${last.key}` };
  return { rows: rows.map((entry) => rowOf(entry, nowMs)), ...next };
}

function statesOf(outcome: OutcomeFilter): readonly EntryState[] {
  return outcome === 'ok' || outcome === 'failed' ? [outcome] : open;
}

/** Whether an open entry is unknown depends on the time, which no index knows. */
function fits(entry: Entry, { outcome }: Filter, nowMs: number): boolean {
  if (outcome === 'unknown') return isUnsettled(entry, nowMs);
  if (outcome === 'running') return !isUnsettled(entry, nowMs);
  return true;
}

const mostPrefixes = 8;

/** The lanes that an entity may have: it comes after a prefix that is in use, as in `order:4512`. */
async function lanesOf(ledger: Ledger, filter: Filter): Promise<readonly string[] | undefined> {
  const { entity, query } = filter;
  if (entity === undefined) return undefined;
  if (entity.includes(':')) return [entity];
  const { tool, scope } = query;
  const like = { ...(tool && { tool }), ...(scope && { scope }) };
  const sample = await ledger.list({ ...like, newestFirst: true, limit: 500 });
  const prefixes = new Set<string>();
  for (const { lane } of sample) {
    const prefix = /^([^:]{1,40}):/.exec(lane)?.[1];
    if (prefix !== undefined && prefixes.size < mostPrefixes) prefixes.add(prefix);
  }
  return [entity, ...[...prefixes].map((prefix) => `${prefix}:${entity}`)];
}

async function listIn(
  ledger: Ledger,
  query: EntryQuery & { readonly limit: number },
  lanes: readonly string[] | undefined,
): Promise<readonly Entry[]> {
  if (lanes === undefined) return ledger.list(query);
  const wanted = query.lane === undefined ? lanes : lanes.filter((lane) => lane === query.lane);
  const pages = await Promise.all(wanted.map((lane) => ledger.list({ ...query, lane })));
  return pages
    .flat()
    .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.key < b.key ? 1 : -1))
    .slice(0, query.limit);
}

function momentFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function placeFrom(text: string | undefined): EntryQuery['after'] | null {
  if (text === undefined) return undefined;
  const [, createdAtMs, key] = /^(\d{1,15})-([0-9a-f]{1,64})$/.exec(text) ?? [];
  return key === undefined ? null : { createdAtMs: Number(createdAtMs), key };
}
