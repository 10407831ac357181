import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence';

type Kept = Awaited<ReturnType<BasePersistenceLayer['getRecord']>>;

/** Powertools' records in a Map: the fastest that it can be given. */
class MemoryLayer extends BasePersistenceLayer {
  readonly #records = new Map<string, Kept>();

  protected async _putRecord(record: Kept): Promise<void> {
    const { idempotencyKey } = record;
    const known = this.#records.get(idempotencyKey);
    if (known !== undefined) {
      throw new IdempotencyItemAlreadyExistsError(`${idempotencyKey} exists`, known);
    }
    this.#records.set(idempotencyKey, record);
  }

  protected async _getRecord(key: string): Promise<Kept> {
    const known = this.#records.get(key);
    if (known === undefined) throw new IdempotencyItemNotFoundError(`${key} is not there`);
    return known;
  }

  protected async _updateRecord(record: Kept): Promise<void> {
    this.#records.set(record.idempotencyKey, record);
  }

  protected async _deleteRecord({ idempotencyKey }: Kept): Promise<void> {
    this.#records.delete(idempotencyKey);
  }
}

/** The function, made idempotent by Powertools in memory. */
export function withPowertools<In extends object, Out>(
  work: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  process.env.POWERTOOLS_DEV ??= 'true';
  const config = new IdempotencyConfig({});
  config.registerLambdaContext({ getRemainingTimeInMillis: () => 60_000 } as never);
  return makeIdempotent(work as never, {
    persistenceStore: new MemoryLayer(),
    config,
  }) as never;
}
