import type { FrameworkJob, FrameworkRun } from '../../src/testing/adapter-cases/harness.ts';
import { type ChatServer, chatServer } from './chat-server.ts';

/** One run of a framework against a server of its own, that says the answers of the job. */
export async function withChatServer(
  { answers }: FrameworkJob,
  run: (server: ChatServer) => Promise<string>,
): Promise<FrameworkRun> {
  const server = await chatServer(answers);
  try {
    return { reply: await run(server), told: server.told() };
  } catch (thrown) {
    return { reply: '', told: server.told(), thrown };
  } finally {
    await server.close();
  }
}
