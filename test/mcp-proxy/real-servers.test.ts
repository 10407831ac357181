import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'forthright-real-'));
afterAll(() => rmSync(folder, { recursive: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const serverOf = (name: string): string =>
  join(root, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

/** How a server is started by itself, and behind the proxy. */
function commands(
  name: string,
  place: string,
  ...args: string[]
): { direct: string[]; proxied: string[] } {
  const direct = [serverOf(name), ...args];
  const ledger = join(place, 'ledger.db');
  const proxied = [main, 'proxy', '--ledger', ledger, '--', process.execPath, ...direct];
  return { direct, proxied };
}

async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client(
    { name: 'side-by-side', version: '1' },
    { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {} } } },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///r' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...env, PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });
  await client.connect(transport);
  closing.push(() => client.close());
  return client;
}

type Args = Record<string, unknown>;

/** The whole of a tool call, without what the proxy says beside it and what differs by the clock. */
async function callOf(client: Client, place: string, name: string, args: Args): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const { _meta, structuredContent, ...said } = result as Record<string, unknown>;
  const meta = { ...(_meta as object) } as Record<string, unknown>;
  const outcome = meta['forthright/result'];
  delete meta['forthright/result'];
  const isOwn = (structuredContent as { outcome?: string } | undefined)?.outcome !== undefined;
  const rest = {
    ...said,
    ...(structuredContent === undefined || isOwn ? {} : { structuredContent }),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  };
  expect(outcome === undefined || (outcome as { outcome: string }).outcome === 'ok').toBe(true);
  return JSON.stringify(rest)
    .replaceAll(place, 'PLACE')
    .replaceAll(/\d+:\d\d:\d\d [AP]M/g, 'TIME')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3} \w{3} \d\d \d{4} [\d:]+ [^"\\]*/g, 'TIME');
}

/** Every tool of a server, with arguments that it takes. */
const callsOf: Readonly<Record<string, (place: string) => readonly (readonly [string, Args])[]>> = {
  everything: () => [
    ['echo', { message: 'héllo' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-env', {}],
    ['get-resource-links', { count: 2 }],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 2 }],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-sum', { a: 0.1, b: 2 }],
    ['get-tiny-image', {}],
    ['get-roots-list', {}],
    ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,abc' }],
    ['toggle-simulated-logging', {}],
    ['toggle-subscriber-updates', {}],
    ['trigger-long-running-operation', { duration: 0.1, steps: 2 }],
    ['trigger-sampling-request', { prompt: 'p' }],
    ['trigger-elicitation-request', {}],
  ],
  filesystem: (place) => [
    ['write_file', { path: `${place}/a.txt`, content: 'a\nb\nc\n' }],
    ['read_file', { path: `${place}/a.txt` }],
    ['read_text_file', { path: `${place}/a.txt`, head: 2 }],
    ['read_media_file', { path: `${place}/a.txt` }],
    ['read_multiple_files', { paths: [`${place}/a.txt`] }],
    ['edit_file', { path: `${place}/a.txt`, edits: [{ oldText: 'b', newText: 'B' }] }],
    ['create_directory', { path: `${place}/d` }],
    ['move_file', { source: `${place}/a.txt`, destination: `${place}/d/b.txt` }],
    ['list_directory', { path: `${place}/d` }],
    ['list_directory_with_sizes', { path: `${place}/d`, sortBy: 'size' }],
    ['directory_tree', { path: place }],
    ['search_files', { path: place, pattern: '**/*.txt' }],
    ['get_file_info', { path: `${place}/d/b.txt` }],
    ['list_allowed_directories', {}],
  ],
  memory: () => [
    ['create_entities', { entities: [{ name: 'a', entityType: 't', observations: ['o'] }] }],
    ['create_entities', { entities: [{ name: 'b', entityType: 't', observations: [] }] }],
    ['create_relations', { relations: [{ from: 'a', to: 'b', relationType: 'r' }] }],
    ['add_observations', { observations: [{ entityName: 'a', contents: ['p'] }] }],
    ['search_nodes', { query: 'p' }],
    ['open_nodes', { names: ['a'] }],
    ['delete_observations', { deletions: [{ entityName: 'a', observations: ['p'] }] }],
    ['delete_relations', { relations: [{ from: 'a', to: 'b', relationType: 'r' }] }],
    ['delete_entities', { entityNames: ['b'] }],
    ['read_graph', {}],
  ],
};

/** Tools that are only called as tasks. */
const asTasks = new Set(['simulate-research-query']);

describe.each(Object.keys(callsOf))('server-%s', (name) => {
  const setUp = (kind: string): { place: string; env: Record<string, string> } => {
    const place = join(folder, `${name}-${kind}`);
    mkdirSync(place, { recursive: true });
    return { place, env: { MEMORY_FILE_PATH: join(place, 'memory.json') } };
  };
  const argsOf = (place: string): string[] => (name === 'filesystem' ? [place] : []);

  it('lists and does through the proxy what it lists and does without', async () => {
    const clients = [];
    for (const kind of ['direct', 'proxied'] as const) {
      const { place, env } = setUp(kind);
      if (name === 'filesystem') writeFileSync(join(folder, 'outside.txt'), 'x');
      const args = commands(name, folder, ...argsOf(place))[kind];
      clients.push({ client: await connect(args, env), place });
    }
    const seen: unknown[] = [];
    for (const { client, place } of clients) {
      const calls = callsOf[name]?.(place) ?? [];
      // A server may add tools once it knows what the client can do.
      const { tools } = await listUntil(client, calls.length - (name === 'memory' ? 1 : 0));
      const results: unknown[] = [];
      for (const [tool, args] of calls) {
        results.push([tool, await callOf(client, place, tool, args)]);
      }
      const called = new Set(calls.map(([tool]) => tool));
      const left = tools.map((tool) => tool.name).filter((tool) => !called.has(tool));
      expect(left.filter((tool) => !asTasks.has(tool))).toEqual([]);
      const { resources, prompts } = client.getServerCapabilities() ?? {};
      seen.push({
        version: client.getServerVersion(),
        instructions: client.getInstructions(),
        capabilities: client.getServerCapabilities(),
        tools,
        results,
        resources: resources ? (await client.listResources()).resources : [],
        prompts: prompts ? (await client.listPrompts()).prompts : [],
      });
    }
    const [direct, proxied] = seen;
    expect(JSON.parse(JSON.stringify(proxied).replaceAll('-proxied', '-direct'))).toEqual(
      JSON.parse(JSON.stringify(direct)),
    );
  });

  it('serves the client of v2 as well', async () => {
    const { place, env } = setUp('v2');
    const client = new ClientV2({ name: 'v2', version: '1' }, { capabilities: {} });
    const { proxied } = commands(name, place, ...argsOf(place));
    const command = process.execPath;
    const both = { ...env, PATH: process.env.PATH ?? '' };
    await client.connect(new StdioV2({ command, args: proxied, env: both, stderr: 'ignore' }));
    closing.push(() => client.close());
    const { tools } = await client.listTools();
    const [tool, args] = callsOf[name]?.(place)[0] ?? ['', {}];
    expect(tools.map((one) => one.name)).toContain(tool);
    for (let n = 0; n < 2; n++) {
      const result = await client.callTool({ name: tool, arguments: args });
      expect(result.isError ?? false).toBe(false);
      expect(result.content).not.toEqual([]);
    }
  });
});

/** Lists the tools until there are as many as a server has once it knows its client. */
async function listUntil(client: Client, count: number): ReturnType<Client['listTools']> {
  for (let n = 0; n < 500; n++) {
    const listed = await client.listTools();
    if (listed.tools.filter(({ name }) => !asTasks.has(name)).length >= count) return listed;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`There were never ${count} tools.`);
}

it('server-everything does a tool as a task through the proxy, and its end is recorded', async () => {
  const place = mkdtempSync(join(folder, 'task-'));
  const { proxied } = commands('everything', place);
  const client = await connect(proxied);
  await client.listTools();
  const call = { name: 'simulate-research-query', arguments: { topic: 't' } };
  const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, {
    task: { ttl: 60_000 },
  });
  const kinds = new Set<string>();
  let text = '';
  for await (const message of stream) {
    kinds.add(message.type);
    if (message.type === 'result') text = JSON.stringify(message.result);
    if (message.type === 'error') throw message.error;
  }
  expect([...kinds]).toEqual(['taskCreated', 'taskStatus', 'result']);
  expect(text).toContain('Research Report');
});
