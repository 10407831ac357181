import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Model } from 'forthright/agent';
import type { z } from 'zod';
import { scenarioGroups, scenarios } from '../scenarios/index.ts';
import { type PageFiles, pageFiles } from './page-files.ts';
import { beginRequest, sayRequest, turnRequest } from './requests.ts';
import type { Room } from './room.ts';
import { Rooms } from './rooms.ts';

/** What {@link serveDesk} takes. */
export interface DeskServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** A real model beside the scripted one, and what it is called. */
  readonly model?: { readonly name: string; readonly model: Model };
}

/** The desk in a browser, on this machine only. */
export interface DeskServer {
  readonly url: string;
  /** Ends every connection that is open: pages come back by themselves. */
  breakConnections(): void;
  close(): Promise<void>;
}

const longestBody = 16_384;

/** Serves the page on 127.0.0.1; rejects where the port is taken. */
export async function serveDesk(options: DeskServerOptions): Promise<DeskServer> {
  const desk = new DeskSite(await pageFiles(), options.model);
  const server = createServer((request, response) => {
    desk.answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, { error: String(error) });
    });
  });
  await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    breakConnections: () => server.closeAllConnections(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await desk.rooms.close();
    },
  };
}

class DeskSite {
  readonly rooms = new Rooms();
  readonly #files: PageFiles;
  readonly #model: DeskServerOptions['model'];

  constructor(files: PageFiles, model: DeskServerOptions['model']) {
    this.#files = files;
    this.#model = model;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const refusal = refusalOf(request);
    if (refusal !== undefined) return send(response, 403, { error: refusal });
    const file = this.#files[pathname];
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, { 'content-type': file.type, ...pageHeaders });
      response.end(file.body);
    } else if (request.method === 'GET' && pathname === '/scenarios') {
      send(response, 200, { groups: shownGroups, model: this.#model?.name ?? null });
    } else if (request.method === 'POST' && pathname === '/rooms') {
      send(response, 201, { room: await this.rooms.enter() });
    } else {
      await this.#inRoom(pathname, request, response);
    }
  }

  async #inRoom(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', what = ''] = /^\/rooms\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
    const room = this.rooms.find(id);
    if (room === undefined) return send(response, 404, { error: 'there is no such room' });
    if (request.method === 'GET' && what === 'events') return stream(room, request, response);
    if (request.method !== 'POST') return send(response, 405, { error: 'POST is wanted' });
    const text = await bodyOf(request);
    switch (what) {
      case 'begin': {
        const asked = read(beginRequest, text, response);
        if (asked === undefined) return;
        const scenario = scenarios.find(({ name }) => name === asked.scenario);
        if (asked.scenario !== null && scenario === undefined) {
          return send(response, 404, { error: `there is no scenario ${asked.scenario}` });
        }
        await room.begin(scenario);
        return send(response, 200, {});
      }
      case 'say': {
        const said = read(sayRequest, text, response);
        if (said === undefined) return;
        const model = said.realModel ? this.#model?.model : undefined;
        if (said.realModel && model === undefined) {
          return send(response, 400, { error: 'no real model is configured' });
        }
        await room.say(said.text, said.fate ?? undefined, model);
        return send(response, 200, {});
      }
      case 'turn': {
        const turning = read(turnRequest, text, response);
        if (turning === undefined) return;
        await room.turn(turning);
        return send(response, 200, {});
      }
      default:
        return send(response, 404, { error: `there is no ${what}` });
    }
  }
}

const shownGroups = scenarioGroups.map((group) => ({
  title: group.title,
  scenarios: group.scenarios.map(({ name, title }) => ({ name, title })),
}));

/** A page from elsewhere may not act here, nor one that a name of somebody else's leads to. */
function refusalOf({ headers }: IncomingMessage): string | undefined {
  const host = headers.host ?? '';
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return 'this is for 127.0.0.1 only';
  const { origin } = headers;
  return origin === undefined || origin === `http://${host}` ? undefined : 'no cross-site requests';
}

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function stream(room: Room, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');
  const stop = room.on((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  request.once('close', stop);
}

/** What was asked, if it can be read; else that is answered. */
function read<T>(schema: z.ZodType<T>, text: string, response: ServerResponse): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return void send(response, 400, { error: 'the body has to be JSON' });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  send(response, 400, { error: `${issue?.path.join('.') || 'body'}: ${issue?.message}` });
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > longestBody) throw new Error('the body is too long');
  }
  return text;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', ...pageHeaders });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
