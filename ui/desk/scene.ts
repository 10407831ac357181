import type { ExecutionPlan } from 'forthright/agent';
import type { Line } from '../../examples/support-desk/stage.ts';
import type {
  RoomEvent,
  ShownEntry,
  Side,
  Truth,
} from '../../examples/support-desk/web/room-event.ts';

/** One thing that is seen in a conversation. */
export type Item =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'plan'; readonly turn: number; readonly plan: ExecutionPlan };

/** One side, as it is seen. */
export interface Half {
  readonly items: readonly Item[];
  readonly truth: Truth | null;
  readonly busy: boolean;
}

/** All that is seen of a room. */
export interface Scene {
  readonly scenario: string | null;
  readonly meantCents: number | null;
  readonly halves: Readonly<Record<Side, Half>>;
  readonly entries: readonly ShownEntry[];
  /** Which promises did not hold; null while a scenario is played, and where none is. */
  readonly broken: readonly string[] | null;
  readonly trouble: string | null;
}

const emptyHalf: Half = { items: [], truth: null, busy: false };

/** A room in which nothing has happened. */
export const emptyScene: Scene = {
  scenario: null,
  meantCents: null,
  halves: { today: emptyHalf, forthright: emptyHalf },
  entries: [],
  broken: null,
  trouble: null,
};

/** The scene after one more event. */
export function advance(scene: Scene, event: RoomEvent): Scene {
  switch (event.type) {
    case 'began':
      return { ...emptyScene, scenario: event.scenario, meantCents: event.meantCents };
    case 'line':
      return withHalf(scene, event.side, (half) => ({ ...half, items: added(half, event) }));
    case 'plan':
      return withHalf(scene, 'forthright', (half) => ({ ...half, items: planned(half, event) }));
    case 'truth':
      return withHalf(scene, event.side, (half) => ({ ...half, truth: event.truth }));
    case 'busy':
      return withHalf(scene, event.side, (half) => ({ ...half, busy: event.busy }));
    case 'ledger':
      return { ...scene, entries: event.entries };
    case 'ended':
      return { ...scene, broken: event.broken };
    case 'failed':
      return { ...scene, trouble: event.message };
  }
}

function withHalf(scene: Scene, side: Side, change: (half: Half) => Half): Scene {
  return { ...scene, halves: { ...scene.halves, [side]: change(scene.halves[side]) } };
}

function added(half: Half, { side, line }: Extract<RoomEvent, { type: 'line' }>): readonly Item[] {
  // The plan says more of a call than its line does.
  if (side === 'forthright' && line.who === 'tool') return half.items;
  return [...half.items, { kind: 'line', line }];
}

function planned(
  half: Half,
  { turn, plan }: Extract<RoomEvent, { type: 'plan' }>,
): readonly Item[] {
  if (plan.steps.length === 0 && plan.findings.length === 0) return half.items;
  const item: Item = { kind: 'plan', turn, plan };
  const at = half.items.findIndex((one) => one.kind === 'plan' && one.turn === turn);
  return at < 0 ? [...half.items, item] : half.items.with(at, item);
}

/** What the agent has told the customer on one side. */
export function saidIn({ items }: Half): readonly string[] {
  return items.flatMap((item) =>
    item.kind === 'line' && item.line.who === 'agent' ? [item.line.text] : [],
  );
}

/** An amount as it is read: `20.00`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
