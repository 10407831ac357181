import type { RoomEvent } from '../../examples/support-desk/web/room-event.ts';

/** A scenario, as the page lists it. */
export interface ShownScenario {
  readonly name: string;
  readonly title: string;
}

/** What the server has to offer. */
export interface Offer {
  readonly groups: readonly {
    readonly title: string;
    readonly scenarios: readonly ShownScenario[];
  }[];
  /** The real model that is configured; null for none. */
  readonly model: string | null;
}

/** The page's connection to its room. */
export interface RoomPort {
  post(what: 'begin' | 'say' | 'turn', body: object): Promise<void>;
  close(): void;
}

/** What the server offers; rejects where it cannot be reached. */
export async function offered(): Promise<Offer> {
  return (await answered(await fetch('/scenarios'))) as Offer;
}

/** Enters a room of the page's own, and hears of it until it is closed. */
export async function enterRoom(
  onEvent: (event: RoomEvent) => void,
  onConnection: (isUp: boolean) => void,
): Promise<RoomPort> {
  const { room } = (await answered(await fetch('/rooms', { method: 'POST' }))) as { room: string };
  const events = new EventSource(`/rooms/${room}/events`);
  events.onmessage = ({ data }) => onEvent(JSON.parse(data) as RoomEvent);
  events.onopen = () => onConnection(true);
  events.onerror = () => onConnection(false);
  return {
    async post(what, body) {
      const init = { method: 'POST', body: JSON.stringify(body) };
      await answered(await fetch(`/rooms/${room}/${what}`, init));
    },
    close: () => events.close(),
  };
}

async function answered(response: Response): Promise<unknown> {
  const body = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(body.error ?? `the server answered ${response.status}`);
  return body;
}
