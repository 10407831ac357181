import type { RoomEvent } from '../../examples/support-desk/web/room-event.ts';

const stepMs = 260;
/** Whoever lags this far behind is shown the rest at once. */
const mostBehind = 150;

/** Hands events on, one line at a time so that they can be read; at once where motion is unwelcome. */
export function paced(onEvent: (event: RoomEvent) => void): (event: RoomEvent) => void {
  const isSlow = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const waiting: RoomEvent[] = [];
  let isRunning = false;
  const next = (): void => {
    for (;;) {
      const event = waiting.shift();
      isRunning = event !== undefined;
      if (event === undefined) return;
      onEvent(event);
      if (event.type === 'line' && waiting.length < mostBehind)
        return void setTimeout(next, stepMs);
    }
  };
  return (event) => {
    if (!isSlow) return onEvent(event);
    // What came before does not matter any more.
    if (event.type === 'began') waiting.length = 0;
    waiting.push(event);
    if (!isRunning) next();
  };
}
