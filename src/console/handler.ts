import type { Ledger } from '../ledger/ledger.ts';
import { ask, bodyOf, settle } from './act.ts';
import { json, problem } from './answers.ts';
import { filterFrom, find } from './find.ts';
import { crossSite } from './guard.ts';
import { Live } from './live.ts';
import type { ConsoleHandler, ConsoleOptions } from './options.ts';
import { pageFile } from './page.ts';
import { viewOf } from './show.ts';
import type { Me } from './views.ts';

/**
 * A page on a ledger, for a person: what goes on, what is unknown, and settling it. Handles what comes
 * in below `base`, in any server that speaks `Request` and `Response`; needs Node's `fs`. Throws a
 * TypeError where it is not said who may enter.
 */
export function consoleHandler(ledger: Ledger, options: ConsoleOptions): ConsoleHandler {
  if (typeof options.auth !== 'function') {
    throw new TypeError('consoleHandler: say who may enter: auth: (request) => name, or false.');
  }
  const base = baseOf(options.base ?? '');
  const live = new Live(ledger, options);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    // Without the slash, the page would look for its files one step too high.
    if (pathname === base) return movedTo(`${base}/${search}`);
    if (!pathname.startsWith(`${base}/`)) return problem(404, 'There is nothing here.');
    const path = pathname.slice(base.length + 1);
    const refusal = crossSite(request);
    if (!path.startsWith('api/')) return (await pageFile(path)) ?? problem(404, 'No such file.');
    if (refusal !== undefined) return problem(403, refusal);
    const who = await options.auth(request);
    if (who === false) return problem(401, 'Nobody is signed in.');
    const operator = typeof who === 'string' ? who : null;
    try {
      return await answer(path.slice(4), { request, ledger, options, operator, live });
    } catch {
      return problem(503, 'The ledger does not answer.');
    }
  };
}

interface Asked {
  readonly request: Request;
  readonly ledger: Ledger;
  readonly options: ConsoleOptions;
  readonly operator: string | null;
  readonly live: Live;
}

async function answer(path: string, asked: Asked): Promise<Response> {
  const { request, ledger, options, live } = asked;
  const { searchParams } = new URL(request.url);
  switch (`${request.method} ${path}`) {
    case 'GET me':
      return json(meOf(asked));
    case 'GET live':
      return live.open(request.signal);
    case 'GET entries': {
      const filter = filterFrom(searchParams);
      if ('problem' in filter) return problem(400, filter.problem);
      return json(await find(ledger, filter, Date.now()));
    }
    case 'GET entry': {
      const key = searchParams.get('key') ?? '';
      const entry = await ledger.get(key);
      if (entry === undefined) return problem(404, 'No entry has this key.');
      return json(await viewOf(entry, await ledger.history(key), options, Date.now()));
    }
    case 'POST settle':
    case 'POST ask':
      return act(path, asked);
    default:
      return problem(404, 'There is nothing here.');
  }
}

async function act(path: string, asked: Asked): Promise<Response> {
  const { request, ledger, options, operator, live } = asked;
  if (options.readOnly === true) return problem(403, 'This console only shows.');
  const body = await bodyOf(request);
  const answered =
    path === 'ask'
      ? await ask(ledger, options, body)
      : await settle(ledger, options, operator, body);
  live.wake();
  return answered;
}

function meOf({ operator, options }: Asked): Me {
  const { runtime, readOnly = false } = options;
  const tools = runtime?.toolset.tools.map(({ name }) => name) ?? [];
  return { operator, readOnly, hasRuntime: runtime !== undefined, tools };
}

function baseOf(given: string): string {
  const base = given.replace(/\/+$/, '');
  if (base === '' || /^\/[\w./~-]*$/.test(base)) return base;
  throw new TypeError(`consoleHandler: base is a path such as /console, not ${given}.`);
}

function movedTo(location: string): Response {
  return new Response(null, { status: 308, headers: { location } });
}
