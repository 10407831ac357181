import type { JsonObject } from '../call/json.ts';

const milliseconds = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum: 2_147_483_647,
  description,
});

const errorMeans: JsonObject = {
  enum: ['unknown', 'nothing_changed'],
  description:
    'What an answer with isError says of a write: "unknown" (the default), since a tool may fail after it has changed something; "nothing_changed" where you know that it checks everything first.',
};

const extraArguments: JsonObject = {
  enum: ['refuse', 'pass'],
  description:
    'What becomes of arguments that a schema neither names nor rules out: "refuse" (the default) or "pass".',
};

const names = (description: string): JsonObject => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  description,
});

const key: JsonObject = {
  description:
    'What makes two calls one intent: all arguments, those under "only", or all but those under "ignore". Paths as reason or items.note; lists are walked through.',
  anyOf: [
    {
      type: 'object',
      properties: { only: names('The arguments that decide.') },
      required: ['only'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { ignore: names('The arguments that describe and do not decide.') },
      required: ['ignore'],
      additionalProperties: false,
    },
  ],
};

const conditions = (description: string): JsonObject => ({
  type: 'array',
  minItems: 1,
  description,
  items: {
    type: 'object',
    properties: {
      at: {
        type: 'string',
        description:
          'A JSON Pointer into the answer (/structuredContent/total), into what its text says as JSON (/json/items/0), or /text for the text itself.',
      },
      equals: { description: 'The value that stands there; {name} for an argument of the write.' },
      contains: {
        description:
          'Part of the text that stands there, or an item of the list: for an object, one that has these members.',
      },
      exists: { type: 'boolean', description: 'Whether anything stands there.' },
    },
    required: ['at'],
    additionalProperties: false,
  },
});

const reconcile: JsonObject = {
  type: 'object',
  description: 'A reading tool of the same server that says what became of an unsettled write.',
  properties: {
    tool: { type: 'string', minLength: 1, description: 'The name of the reading tool.' },
    arguments: {
      type: 'object',
      additionalProperties: true,
      description:
        'Its arguments; {name} stands for an argument of the write, alone or inside a text.',
    },
    happened: conditions('What its answer says where the write happened; all of it must hold.'),
    didNotHappen: conditions('What its answer says where the write did not happen.'),
  },
  required: ['tool'],
  additionalProperties: false,
};

const toolRule: JsonObject = {
  type: 'object',
  properties: {
    effect: {
      enum: ['read', 'write'],
      description: "Whether it changes anything; left out: the server's readOnlyHint, then reads.",
    },
    idempotent: {
      type: 'boolean',
      description:
        "Whether doing it twice is doing it once; left out: the server's idempotentHint.",
    },
    key,
    lane: {
      type: 'string',
      minLength: 1,
      description:
        'What it writes, such as repo:{owner}/{repo}: one write at a time. Left out: the tool within the scope.',
    },
    keepLane: {
      type: 'boolean',
      description:
        'Whether an unsettled write keeps its lane closed to others; left out: where lane is given.',
    },
    timeoutMs: milliseconds('How long a call may take before its outcome is told.'),
    replayMs: milliseconds('How long an identical write counts as the same intent.'),
    requestMaxMs: milliseconds('The longest that one request is taken to live.'),
    marginMs: milliseconds('How long the server may still act after a disconnect.'),
    errorMeans,
    extraArguments,
    repeat: {
      description:
        'Allows a second, wanted, identical write: the model asks for it by an argument ("occurrence" if left out), and the user is asked through elicitation.',
      anyOf: [
        { const: true },
        {
          type: 'object',
          properties: { argument: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } },
          required: ['argument'],
          additionalProperties: false,
        },
      ],
    },
    reconcile,
  },
  additionalProperties: false,
};

/** The JSON Schema (draft 2020-12) of the configuration file; published as `config.schema.json`. */
export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of forthright proxy',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    scope: {
      type: 'string',
      minLength: 1,
      description: 'Which calls can be the same intent; one for the whole ledger if left out.',
    },
    timeoutMs: milliseconds(
      'How long a call may take before its outcome is told; left out: 55000 for a read, 30000 for a write.',
    ),
    replayMs: milliseconds(
      'How long an identical write counts as the same intent, from when it was settled and told; 900000 if left out.',
    ),
    reads: names(
      'Tools that only read, where the server does not say so itself; * stands for any text.',
    ),
    errorMeans,
    extraArguments,
    checkWrite: {
      type: 'boolean',
      description: 'Whether the tool check_write is added to those of the server.',
    },
    tools: {
      type: 'object',
      description: 'What is said of single tools, by name.',
      additionalProperties: toolRule,
    },
  },
  additionalProperties: false,
};
