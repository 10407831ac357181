/** A peer's durable call, where the peer is installed. */
export interface DurableStep {
  readonly call?: () => Promise<unknown>;
  /** Why there is none. */
  readonly missing?: string;
  close(): Promise<void>;
}

/** What is used of DBOS. */
interface Dbos {
  setConfig(config: object): void;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  registerWorkflow<A extends unknown[], R>(
    work: (...args: A) => Promise<R>,
    options: object,
  ): (...args: A) => Promise<R>;
  runStep<R>(work: () => Promise<R>, options: object): Promise<R>;
}

const packageName = '@dbos-inc/dbos-sdk';

/** A workflow of one step, on a database of its own in the cluster. It is no dependency: install it to compare. */
export async function dbosStep(clusterUrl: string): Promise<DurableStep> {
  const sdk = await import(packageName).then(
    (all: { DBOS: Dbos }) => all.DBOS,
    () => undefined,
  );
  if (sdk === undefined) {
    const missing = `DBOS: not installed (npm install --no-save ${packageName})`;
    return { missing, close: async () => undefined };
  }
  sdk.setConfig({
    name: 'bench',
    systemDatabaseUrl: clusterUrl.replace('/postgres?', '/dbos?'),
    runAdminServer: false,
    logLevel: 'error',
  });
  const call = sdk.registerWorkflow(
    async (orderId: number) => sdk.runStep(async () => ({ orderId }), { name: 'refund' }),
    { name: 'refund' },
  );
  await sdk.launch();
  let orders = 0;
  return {
    call: () => {
      orders += 1;
      return call(orders);
    },
    close: () => sdk.shutdown(),
  };
}
