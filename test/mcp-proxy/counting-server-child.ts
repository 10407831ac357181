import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// A small MCP server that counts what it does in a folder, and misbehaves as `behaviour` there says.

const folder = process.argv[2] ?? '.';
const at = (name: string): string => join(folder, name);
const text = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');

writeFileSync(at('pid'), String(process.pid));

interface Call {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: object;
    readonly task?: object;
    readonly taskId?: string;
    readonly protocolVersion?: string;
    readonly cursor?: string;
    readonly _meta?: { readonly progressToken?: string | number };
  };
  readonly result?: unknown;
}

const amount = {
  type: 'object',
  properties: { amount: { type: 'integer' }, note: { type: 'string' } },
  required: ['amount'],
};

const tools = [
  { name: 'pay', description: 'Pays.', inputSchema: amount },
  {
    name: 'look',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  { name: 'set', inputSchema: amount, annotations: { idempotentHint: true } },
  {
    name: 'shaped',
    inputSchema: amount,
    outputSchema: {
      type: 'object',
      properties: { paid: { type: 'integer' } },
      required: ['paid'],
      additionalProperties: false,
    },
  },
  {
    name: 'odd.tool/1',
    inputSchema: { type: 'object', properties: { a: { type: 'string', nullable: true } } },
  },
  { name: 'free', inputSchema: { type: 'object' } },
  { name: 'Pay', inputSchema: amount },
  { name: 'ask', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'slow', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};

const answers = new Map<string | number, (result: unknown) => void>();
let asked = 0;
const askClient = (method: string, params: object): Promise<unknown> => {
  const id = asked++;
  say({ id, method, params });
  return new Promise((resolve) => answers.set(id, resolve));
};

const effect = (call: Call): void => {
  appendFileSync(at('effects'), `${JSON.stringify(call.params?.arguments)}\n`);
};

const released = async (): Promise<void> => {
  while (!existsSync(at('release'))) await new Promise((resolve) => setTimeout(resolve, 10));
};

const done = (call: Call): object => {
  const { name, arguments: args } = call.params ?? {};
  const words = { content: [{ type: 'text', text: `did ${name} ${JSON.stringify(args)}` }] };
  const paid = (args as { amount?: number } | undefined)?.amount;
  return name === 'shaped' ? { ...words, structuredContent: { paid } } : words;
};

const write = async (call: Call): Promise<void> => {
  const { id } = call;
  switch (text('behaviour')) {
    case 'die_before':
      return process.exit(1);
    case 'stall_before':
      return;
    case 'refuse':
      say({ id, error: { code: -32_602, message: 'the amount is odd' } });
      return;
    case 'deny':
      say({ id, error: { code: -32_600, message: 'not now' } });
      return;
    case 'misshape': {
      effect(call);
      const message = 'Tool shaped has an output schema but no structured content was provided';
      say({ id, error: { code: -32_602, message } });
      return;
    }
    case 'break':
      effect(call);
      say({ id, error: { code: -32_603, message: 'something broke' } });
      return;
    case 'error':
      say({ id, result: { content: [{ type: 'text', text: 'no funds' }], isError: true } });
      return;
    case 'die_after':
      effect(call);
      return process.exit(1);
    case 'stall_after':
      effect(call);
      return;
    case 'late':
      effect(call);
      await released();
      say({ id, result: done(call) });
      return;
    case 'die_answered':
      effect(call);
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: done(call) })}\n`, () =>
        process.exit(1),
      );
      return;
    case 'input':
      say({ id, result: { resultType: 'input_required', requestState: 'x' } });
      return;
    case 'big':
      effect(call);
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"n":9007199254740993}, "_meta":{ "a" : 1.0 }}}\n`,
      );
      return;
    default:
      effect(call);
      if (call.params?.task !== undefined) {
        return say({ id, result: { task: { taskId: 't1', status: 'working', ttl: null } } });
      }
      return say({ id, result: done(call) });
  }
};

const read = async (call: Call): Promise<void> => {
  const { id, params } = call;
  if (params?.name === 'look') {
    const effects = text('effects').split('\n').filter(Boolean);
    const json = { count: effects.length, effects: effects.map((line) => JSON.parse(line)) };
    return say({ id, result: { content: [{ type: 'text', text: JSON.stringify(json) }] } });
  }
  if (params?.name === 'slow') {
    const { progressToken } = params._meta ?? {};
    say({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    return;
  }
  const said = await askClient('sampling/createMessage', { messages: [], maxTokens: 1 });
  say({ id, result: { content: [{ type: 'text', text: JSON.stringify(said) }] } });
};

const take = (call: Call): unknown => {
  const { id, method, params } = call;
  if (method === undefined) {
    if (id !== undefined) answers.get(id)?.(call.result);
    return;
  }
  if (id === undefined) return;
  switch (method) {
    case 'initialize': {
      const protocolVersion = params?.protocolVersion;
      const capabilities = { tools: { listChanged: true }, prompts: {}, logging: {} };
      const serverInfo = { name: 'counting', version: '1' };
      return say({ id, result: { protocolVersion, capabilities, serverInfo } });
    }
    case 'tools/list': {
      // Two pages.
      const isLast = params?.cursor !== undefined;
      const page = isLast ? tools.slice(3) : tools.slice(0, 3);
      return say({ id, result: { tools: page, ...(isLast ? {} : { nextCursor: '3' }) } });
    }
    case 'tools/call': {
      const isRead = ['look', 'ask', 'slow'].includes(params?.name ?? '');
      return void (isRead ? read(call) : write(call));
    }
    case 'tasks/get':
      return say({ id, result: { taskId: params?.taskId, status: 'completed', ttl: null } });
    case 'tasks/result':
      return say({ id, result: { content: [{ type: 'text', text: 'the task is done' }] } });
    default:
      return say({ id, error: { code: -32_601, message: `no ${method}` } });
  }
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    appendFileSync(at('received'), `${line}\n`);
    take(JSON.parse(line) as Call);
  })
  .on('close', () => process.exit());
