import type { JsonObject, JsonValue } from '../call/json.ts';
import type { AnyTool } from '../call/tool.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import { nearestName } from '../decode/nearest.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import type { Logger } from '../runtime/events.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { defaults, type ProxyConfig } from './config.ts';
import { listedTool, type ToolTerms, termsOf } from './listed-tool.ts';
import { kept, proxiedTool } from './proxied-tool.ts';

/** A server's tools, as they were listed last, on a runtime. */
export interface Tools {
  readonly runtime: Runtime;
  find(name: string): ProxiedTool | undefined;
}

/** One tool of a server's behind the proxy. */
export interface ProxiedTool {
  readonly tool: AnyTool;
  readonly terms: ToolTerms;
  readonly hasOutputSchema: boolean;
}

export interface CatalogOptions {
  readonly ledger: Ledger;
  readonly config: ProxyConfig;
  readonly logger: Logger;
  /** The items of the server's whole list; undefined where it gives none. */
  list(): Promise<readonly JsonValue[] | undefined>;
  contextFor(entry: Entry): unknown;
  warn(message: string): void;
}

/** Longer than what other ways into a model take: whole files go through a proxy. */
const limits = { maxLength: 16 * 1024 * 1024 } as const;
const maxDataLength = 1024 * 1024;

/** Keeps the list of a server's tools; a list that changes gets a runtime of its own on the same ledger. */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #runtimes = new Set<WeakRef<Runtime>>();
  #tools: Tools | undefined;
  #text = '';
  #items = new Map<string, string>();
  #loading: Promise<Tools | undefined> | undefined;
  #isStale = true;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** The list has to be asked for again before the next call. */
  expire(): void {
    this.#isStale = true;
  }

  /** Looks whether what the client was shown is what is enforced. */
  compare(items: readonly JsonValue[]): void {
    const isNew = items.some((item) => {
      const known = isJsonObject(item) ? this.#items.get(String(item.name)) : undefined;
      return known !== JSON.stringify(item);
    });
    if (isNew) this.expire();
  }

  /** The tools as they are now; undefined where the server lists none. */
  async current(): Promise<Tools | undefined> {
    if (!this.#isStale && this.#loading === undefined) return this.#tools;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return await this.#loading;
  }

  /** The tools as they were known last. */
  known(): Tools | undefined {
    return this.#tools;
  }

  /** A task that a write goes on as has come to its end, which the client was just told. */
  async settleTask(key: string, raw: string): Promise<void> {
    if ((JSON.parse(raw) as JsonObject).isError === true) return;
    const grounds = { by: 'task', why: 'the server gave the result of its task', data: kept(raw) };
    await this.#tools?.runtime.settle(key, 'happened', grounds).catch((cause: unknown) => {
      this.#options.logger.warn({ cause, key }, 'forthright: a task could not be settled');
    });
  }

  /** Asks about what is unsettled, with the tools as they are known. */
  async reconcile(): Promise<void> {
    await this.#tools?.runtime.reconcile().catch((cause: unknown) => {
      this.#options.logger.warn({ cause }, 'forthright: asking about unsettled writes failed');
    });
  }

  async close(graceMs: number): Promise<void> {
    const runtimes = [...this.#runtimes].flatMap((one) => one.deref() ?? []);
    await Promise.all(runtimes.map((runtime) => runtime.close({ graceMs })));
  }

  async #load(): Promise<Tools | undefined> {
    this.#isStale = false;
    const items = await this.#options.list();
    if (items === undefined) {
      this.#isStale = true;
      return this.#tools;
    }
    const text = JSON.stringify(items);
    if (this.#tools !== undefined && text === this.#text) return this.#tools;
    this.#text = text;
    this.#items = new Map(
      items.filter(isJsonObject).map((item) => [String(item.name), JSON.stringify(item)]),
    );
    this.#tools = this.#join(items);
    return this.#tools;
  }

  #join(items: readonly JsonValue[]): Tools {
    const { ledger, config, logger, contextFor, warn } = this.#options;
    const found = proxied(items, config, warn);
    warnOfStrayRules(config, found, warn);
    const runtime = createRuntime({
      tools: [...found.values()].map(({ tool }) => tool),
      ledger,
      logger,
      limits,
      maxDataLength,
      maxConcurrent: 100,
      waitMs: defaults.waitMs,
      reconcileEveryMs: false,
      checkWrite: config.checkWrite ?? false,
      contextFor,
    });
    this.#runtimes.add(new WeakRef(runtime));
    return { runtime, find: (name) => found.get(name) };
  }
}

function proxied(
  items: readonly JsonValue[],
  config: ProxyConfig,
  warn: (message: string) => void,
): ReadonlyMap<string, ProxiedTool> {
  const found = new Map<string, ProxiedTool>();
  const taken = new Set<string>();
  for (const item of items) {
    const listed = listedTool(item);
    if (listed === undefined || found.has(listed.name)) {
      warn(`the server lists what is no tool, or a tool twice: ${nameIn(item)}`);
      continue;
    }
    const terms = termsOf(listed, config);
    const made = proxiedTool(listed, terms, warn);
    // Names that differ only in case are two tools to the server, and one to a toolset.
    let { name } = made;
    while (taken.has(name.toLowerCase())) name += '~';
    taken.add(name.toLowerCase());
    const tool = name === made.name ? made : { ...made, name };
    found.set(listed.name, { tool, terms, hasOutputSchema: listed.hasOutputSchema });
  }
  return found;
}

function nameIn(item: JsonValue): string {
  return isJsonObject(item) ? String((item as JsonObject).name) : '';
}

function warnOfStrayRules(
  { tools = {} }: ProxyConfig,
  found: ReadonlyMap<string, ProxiedTool>,
  warn: (message: string) => void,
): void {
  const names = [...found.keys()];
  const check = (name: string, place: string): void => {
    if (found.has(name)) return;
    const near = nearestName(name, names);
    const hint = near === undefined ? '' : `; is ${near} meant?`;
    warn(`${place}: the server has no tool ${name}${hint}`);
  };
  for (const [name, rule] of Object.entries(tools)) {
    check(name, `/tools/${name}`);
    const { reconcile } = rule;
    if (reconcile === undefined) continue;
    check(reconcile.tool, `/tools/${name}/reconcile/tool`);
    if (found.get(reconcile.tool)?.terms.effect === 'write') {
      warn(`/tools/${name}/reconcile/tool: ${reconcile.tool} writes; it will not be asked`);
    }
  }
}
