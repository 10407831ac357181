import { useEffect, useState } from 'preact/hooks';
import type { Chart, Me, Now } from '../../src/console/views.ts';
import { getMe } from './api.ts';

/** How the page stands with its server: `trouble` where the server is there and its ledger is not. */
export type Link = 'connecting' | 'live' | 'lost' | 'trouble' | 'signed_out';

/** What the server has told. */
export interface Live {
  readonly link: Link;
  readonly me?: Me;
  readonly now?: Now;
  readonly hour?: Chart;
  readonly day?: Chart;
  /** How far the server's clock is ahead of this machine's. */
  readonly aheadMs: number;
}

const retryMs = 2_000;

/** What the server tells, as it tells it; where it goes away, it is tried again until it is back. */
export function useLive(): Live {
  const [live, setLive] = useState<Live>({ link: 'connecting', aheadMs: 0 });
  useEffect(() => {
    const over = new AbortController();
    void follow((change) => setLive((before) => ({ ...before, ...change })), over.signal);
    return () => over.abort();
  }, []);
  return live;
}

async function follow(change: (its: Partial<Live>) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const me = await getMe();
    if (me.kind === 'ok') {
      change({ me: me.value });
      await listen(change, signal);
      change({ link: 'lost' });
    } else {
      change({ link: me.kind === 'signed_out' ? 'signed_out' : 'lost' });
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** Resolves when the stream has ended, or a server that says nothing has gone. */
function listen(change: (its: Partial<Live>) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource('api/live');
    const end = (): void => {
      clearTimeout(silence);
      source.close();
      resolve();
    };
    let silence = setTimeout(end, 10_000);
    const on = <T>(event: string, take: (value: T) => Partial<Live>): void => {
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        clearTimeout(silence);
        silence = setTimeout(end, 10_000);
        change(take(JSON.parse(data) as T));
      });
    };
    on<Now>('now', (now) => ({ link: 'live', now, aheadMs: now.nowMs - Date.now() }));
    on<Chart>('chart', (chart) => ({ [chart.span]: chart }));
    on('trouble', () => ({ link: 'trouble' }));
    source.addEventListener('error', end);
    signal.addEventListener('abort', end);
  });
}

/** The server's time, ticking: slower where the reader wants no motion. */
export function useClock(aheadMs: number, everyMs = 1_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now() + aheadMs);
  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const tick = (): void => setNowMs(Date.now() + aheadMs);
    tick();
    const timer = setInterval(tick, isCalm ? Math.max(1_000, everyMs) : everyMs);
    return () => clearInterval(timer);
  }, [aheadMs, everyMs]);
  return nowMs;
}
