import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import {
  CompleteRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };

/** What the scenarios of `@modelcontextprotocol/conformance` call: tools, resources and prompts by its names. */
export function offerWhatTheSuiteWants(server: McpServer): void {
  server.server.registerCapabilities({
    logging: {},
    completions: {},
    resources: { subscribe: true },
  });
  plainTools(server);
  askingTools(server);
  resources(server);
  prompts(server);
  server.server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function plainTools(server: McpServer): void {
  const resource = {
    type: 'resource' as const,
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  };
  const contents: Record<string, CallToolResult['content']> = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [resource],
    test_multiple_content_types: [text('Multiple content types test:'), image, resource],
  };
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const logging = { description: 'Logs.' };
  server.registerTool('test_tool_with_logging', logging, async ({ sendNotification }) => {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
      await inTurn(sendNotification, {
        method: 'notifications/message',
        params: { level: 'info', data },
      });
    return { content: [text('Logged.')] };
  });
  const progressing = { description: 'Tells progress.' };
  server.registerTool(
    'test_tool_with_progress',
    progressing,
    async ({ _meta, sendNotification }) => {
      const { progressToken = 0 } = _meta ?? {};
      for (const progress of [0, 50, 100])
        await inTurn(sendNotification, {
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      return { content: [text('Done.')] };
    },
  );
}

async function inTurn(
  send: (notification: ServerNotification) => Promise<void>,
  notification: ServerNotification,
): Promise<void> {
  await send(notification);
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function askingTools(server: McpServer): void {
  const sampling = { description: 'Samples.', inputSchema: { prompt: z.string() } };
  server.registerTool('test_sampling', sampling, async ({ prompt }) => {
    const messages = [{ role: 'user' as const, content: text(prompt) }];
    const { content } = await server.server.createMessage({ messages, maxTokens: 100 });
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
  });
  const ask = async (message: string, properties: object): Promise<CallToolResult> => {
    const requestedSchema = { type: 'object', properties, required: [] } as never;
    const answer = await server.server.elicitInput({ mode: 'form', message, requestedSchema });
    return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
  };
  const eliciting = { description: 'Asks.', inputSchema: { message: z.string() } };
  server.registerTool('test_elicitation', eliciting, ({ message }) =>
    ask(message, { username: { type: 'string' }, email: { type: 'string' } }),
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks.' }, () =>
    ask('With defaults.', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  );
  const options = ['option1', 'option2', 'option3'];
  const titled = options.map((value) => ({ const: value, title: `Title of ${value}` }));
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks.' }, () =>
    ask('With choices.', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: options, enumNames: options },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  );
}

function resources(server: McpServer): void {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is static text.' }],
  }));
  server.registerResource(
    'binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: 'image/png', blob: png }],
    }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource(
    'template',
    template,
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
    }),
  );
}

function prompts(server: McpServer): void {
  const user = (content: object) => ({ messages: [{ role: 'user', content }] }) as never;
  const description = 'A prompt for testing.';
  server.registerPrompt('test_simple_prompt', { description }, () =>
    user(text('This is a simple prompt for testing.')),
  );
  const two = { description, argsSchema: { arg1: z.string(), arg2: z.string() } };
  server.registerPrompt('test_prompt_with_arguments', two, ({ arg1, arg2 }) =>
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = { description, argsSchema: { resourceUri: z.string() } };
  server.registerPrompt('test_prompt_with_embedded_resource', one, ({ resourceUri: uri }) =>
    user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } }),
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => user(image));
}
