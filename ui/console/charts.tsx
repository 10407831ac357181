import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { Chart } from '../../src/console/views.ts';
import type { EntryState } from '../../src/ledger/entry.ts';
import { State } from './parts.tsx';
import { count } from './words.ts';

/** From the bottom of a stack to its top; what is claimed or sent is one. */
const layers = ['ok', 'failed', 'unknown', 'running'] as const;
type Layer = (typeof layers)[number];
const marks: Readonly<Record<Layer, string>> = {
  ok: '--ok-mark',
  failed: '--failed-mark',
  unknown: '--unknown-mark',
  running: '--sent-mark',
};
const layerOf: Readonly<Record<EntryState, Layer>> = {
  ok: 'ok',
  failed: 'failed',
  unknown: 'unknown',
  claimed: 'running',
  dispatched: 'running',
};

type Counts = Readonly<Record<Layer, readonly number[]>>;

/** What became of the writes of a span of time, by when they were begun: as bars, and as a table. */
export function OutcomeChart(props: { chart: Chart | undefined; title: string }): JSX.Element {
  const { chart, title } = props;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {chart === undefined ? (
        <State kind="loading" title="Counting…" />
      ) : (
        <Drawn chart={chart} title={title} />
      )}
    </section>
  );
}

function Drawn({ chart, title }: { chart: Chart; title: string }): JSX.Element {
  const counts = countsOf(chart);
  const [pointed, setPointed] = useState<number | null>(null);
  const totals = layers.map((layer) => [layer, sum(counts[layer])] as const);
  const words = totals.map(([layer, n]) => `${n.toLocaleString()} ${layer}`).join(', ');
  return (
    <>
      <Bars chart={chart} counts={counts} label={`${title}: ${words}`} onPoint={setPointed} />
      <p class="readout small">
        {pointed === null ? words : sliceWords(chart, counts, pointed)}
        {chart.isCut && ` (of the newest ${chart.counted.toLocaleString()})`}
      </p>
      <details class="small">
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
        <section class="scroll low" tabIndex={0} aria-label={`${title}, as a table`}>
          <Table chart={chart} counts={counts} />
        </section>
      </details>
    </>
  );
}

function Bars(props: {
  chart: Chart;
  counts: Counts;
  label: string;
  onPoint(slice: number | null): void;
}): JSX.Element {
  const { chart, counts } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const isDark = useDark();
  // Made anew for another theme only; its data come with the next effect.
  useEffect(() => {
    if (place.current === null) return;
    const drawn = new uPlot(
      optionsOf(place.current, chart, props.onPoint),
      dataOf(chart, counts),
      place.current,
    );
    plot.current = drawn;
    const resize = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) drawn.setSize({ width, height });
    });
    resize.observe(place.current);
    return () => {
      resize.disconnect();
      drawn.destroy();
    };
  }, [isDark]);
  useEffect(() => plot.current?.setData(dataOf(chart, counts)), [chart]);
  return <div class="plot" ref={place} role="img" aria-label={props.label} />;
}

const height = 150;

function optionsOf(
  place: HTMLElement,
  chart: Chart,
  onPoint: (slice: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string): string => resolved(place, name, style);
  const axis = {
    stroke: color('--ink-soft'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: Math.max(120, place.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    // A bar stands behind its moment: the last one needs its width too.
    scales: {
      x: { range: (_, first) => [first, first + (chart.sliceCount * chart.sliceMs) / 1_000] },
      y: { range: (_, __, most) => [0, Math.max(1, most)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 70,
        grid: { show: false },
        values: (_, times) => times.map((time) => clock.format(time * 1_000)),
      },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5] },
    ],
    series: [
      {},
      // The whole stack first: what is drawn later stands before it.
      ...layers.toReversed().map((layer) => ({
        fill: color(marks[layer]),
        stroke: color(marks[layer]),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.75, 40], align: 1 }),
      })),
    ] as uPlot.Series[],
    hooks: { setCursor: [(its) => onPoint(its.cursor.idx ?? null)] },
  };
}

/** A canvas knows no `light-dark()`: the browser says what it comes to. */
function resolved(place: HTMLElement, name: string, style: CSSStyleDeclaration): string {
  const probe = document.createElement('span');
  probe.style.color = style.getPropertyValue(name);
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function useDark(): boolean {
  const [isDark, setDark] = useState(() => dark().matches);
  useEffect(() => {
    const query = dark();
    const onChange = (): void => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isDark;
}

const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function dataOf({ fromMs, sliceMs, sliceCount }: Chart, counts: Counts): uPlot.AlignedData {
  const times = Array.from(
    { length: sliceCount },
    (_, slice) => (fromMs + slice * sliceMs) / 1_000,
  );
  const stacks = layers.map((_, top) =>
    times.map((_, slice) =>
      layers.slice(0, top + 1).reduce((total, layer) => total + (counts[layer][slice] ?? 0), 0),
    ),
  );
  return [times, ...stacks.toReversed()];
}

function countsOf({ slices, sliceCount }: Chart): Counts {
  const zeros = (): number[] => Array.from({ length: sliceCount }, () => 0);
  const counts = { ok: zeros(), failed: zeros(), unknown: zeros(), running: zeros() };
  for (const { slice, state, count } of slices) {
    const layer = counts[layerOf[state]];
    if (slice < sliceCount) layer[slice] = (layer[slice] ?? 0) + count;
  }
  return counts;
}

function Table({ chart, counts }: { chart: Chart; counts: Counts }): JSX.Element {
  const slices = Array.from({ length: chart.sliceCount }, (_, slice) => slice).filter((slice) =>
    layers.some((layer) => (counts[layer][slice] ?? 0) > 0),
  );
  if (slices.length === 0) return <p class="soft">There was nothing.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">from</th>
          {layers.map((layer) => (
            <th key={layer} scope="col">
              {layer}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slices.toReversed().map((slice) => (
          <tr key={slice}>
            <th scope="row">{timeOf(chart, slice)}</th>
            {layers.map((layer) => (
              <td key={layer}>{counts[layer][slice]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

function timeOf({ fromMs, sliceMs }: Chart, slice: number): string {
  return clock.format(fromMs + slice * sliceMs);
}

function sliceWords(chart: Chart, counts: Counts, slice: number): string {
  const its = layers.map((layer) => `${counts[layer][slice] ?? 0} ${layer}`).join(', ');
  const all = layers.reduce((total, layer) => total + (counts[layer][slice] ?? 0), 0);
  return `${timeOf(chart, slice)}: ${count(all, 'write')} (${its})`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
