import type { FrameworkRun } from '../../src/testing/adapter-cases/harness.ts';

/** A local server of a provider's protocol, as a run needs it. */
interface Server {
  told(): readonly string[];
  close(): Promise<void>;
}

/** One run of a framework against a server of its own. */
export async function served<S extends Server>(
  starting: Promise<S>,
  run: (server: S) => Promise<string>,
): Promise<FrameworkRun> {
  const server = await starting;
  try {
    return { reply: await run(server), told: server.told() };
  } catch (thrown) {
    return { reply: '', told: server.told(), thrown };
  } finally {
    await server.close();
  }
}
