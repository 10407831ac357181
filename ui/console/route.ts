import { useEffect, useState } from 'preact/hooks';

/** Where on the page one is; it stands in the address, so that it can be handed on. */
export type Route =
  | { readonly page: 'now' }
  | { readonly page: 'find'; readonly query: string }
  | { readonly page: 'entry'; readonly key: string };

/** Where the address leads. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const onChange = (): void => setRoute(readRoute());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.slice(1).split('?', 2);
  const [, page, key] = path.split('/');
  if (page === 'find') return { page, query };
  if (page === 'entry' && key) return { page, key };
  return { page: 'now' };
}

export const entryHref = (key: string): string => `#/entry/${key}`;

export function findHref(filter: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return `#/find?${query}`;
}
