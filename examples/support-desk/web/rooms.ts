import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Room } from './room.ts';

const mostRooms = 20;

/** The rooms that are open: one for each page. Beyond the limit the oldest is closed. */
export class Rooms {
  readonly #open = new Map<string, Room>();

  async enter(): Promise<string> {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= mostRooms) await this.#leave(...oldest);
    const id = randomUUID();
    const room = new Room(mkdtempSync(join(tmpdir(), 'forthright-desk-')));
    this.#open.set(id, room);
    await room.begin();
    return id;
  }

  find(id: string): Room | undefined {
    return this.#open.get(id);
  }

  async close(): Promise<void> {
    for (const [id, room] of [...this.#open]) await this.#leave(id, room);
  }

  async #leave(id: string, room: Room): Promise<void> {
    this.#open.delete(id);
    await room.close();
  }
}
