export { consoleHandler } from './handler.ts';
export { nodeListener } from './node-listener.ts';
export type {
  Authenticate,
  ConsoleHandler,
  ConsoleOptions,
  ConsoleRuntime,
  Redact,
  RedactedField,
} from './options.ts';
