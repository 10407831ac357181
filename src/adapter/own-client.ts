import { type OpenExchange, ownFetch } from './own-fetch.ts';

/** A client of a provider, as far as it is made anew here. */
export interface AnyClient {
  withOptions(options: { readonly fetch: typeof fetch }): unknown;
}

/** The same client, through which what models are asked and answer is read. Throws a TypeError where it is none. */
export function ownClient<Client extends AnyClient>(
  client: Client,
  name: string,
  open: OpenExchange,
): Client {
  if (typeof client?.withOptions !== 'function') {
    throw new TypeError(`${name}: client is to be a client of the SDK, such as new OpenAI()`);
  }
  const held: unknown = Reflect.get(client, 'fetch');
  const inner = typeof held === 'function' ? (held as typeof fetch) : fetch;
  return client.withOptions({ fetch: ownFetch(inner, open) }) as Client;
}
