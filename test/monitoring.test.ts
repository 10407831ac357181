import { readFileSync } from 'node:fs';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime, memoryLedger, noEvidence, type Runtime } from '../src/index.ts';
import { names } from '../src/otel/names.ts';
import { withTelemetry } from '../src/otel/with-telemetry.ts';
import { Remote, refundTool, silent } from './support/refunds.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const dashboard = read('../examples/monitoring/grafana-dashboard.json');
const alerts = read('../examples/monitoring/prometheus-alerts.yml');
const page = read('../docs/telemetry.md');

/** Every series of ours that a text asks for. */
function asked(text: string): readonly string[] {
  // Where a collector names them, durations have their unit: a choice of the dashboard's.
  const plain = text.replaceAll(/\$\{seconds\}/g, '');
  return [...new Set(plain.match(/\b(?:forthright|gen_ai)_[a-z_]+/g) ?? [])]
    .filter((name) => !labels.includes(name))
    .sort();
}

const labels = [
  'gen_ai_tool_name',
  'forthright_outcome',
  'forthright_code',
  'forthright_effect',
  'forthright_finding',
  'forthright_claim',
  'forthright_verdict',
  'forthright_settled_by',
  'forthright_wait_for',
];

describe('the dashboard and the alerts of the examples', () => {
  const exporter = new PrometheusExporter({ host: '127.0.0.1', port: 0, preventServerStart: true });
  const meters = new MeterProvider({ readers: [exporter] });
  let scraped = '';

  beforeAll(async () => {
    await causeEverything(meters);
    scraped = await scrape(exporter);
  });
  afterAll(() => meters.shutdown());

  it.each([
    ['the dashboard', dashboard],
    ['the alert rules', alerts],
  ])('%s: asks only for what a scrape of Prometheus finds', (_what, text) => {
    const found = new Set(scraped.match(/^[a-z_]+(?=[{ ])/gm));
    expect(asked(text).length).toBeGreaterThan(3);
    expect(asked(text).filter((name) => !found.has(name))).toEqual([]);
  });

  it('name only labels that are there', () => {
    const found = new Set([...scraped.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
    const used = labels.filter((label) => dashboard.includes(label) || alerts.includes(label));
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((label) => !found.has(label))).toEqual([]);
  });

  it('the dashboard is JSON whose panels each ask for something', () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { title: string; type: string; targets?: { expr: string }[] }[];
    };
    const graphs = panels.filter(({ type }) => type !== 'row');
    expect(graphs.length).toBeGreaterThan(5);
    for (const { title, targets = [] } of graphs) {
      expect(title).not.toBe('');
      expect(targets.length).toBeGreaterThan(0);
      for (const { expr } of targets) expect(asked(expr)).not.toEqual([]);
    }
  });

  it('the page lists every metric by its name', () => {
    for (const name of Object.values(names)) expect(page).toContain(`\`${name}\``);
  });
});

/** Lets happen whatever is counted. */
async function causeEverything(meters: MeterProvider): Promise<void> {
  const remote = new Remote();
  const tools = [refundTool(remote, { reconcile: () => ({ finding: 'happened', data: null }) })];
  const own = createRuntime({ tools, ledger: memoryLedger(), logger: silent }) as Runtime;
  const runtime = withTelemetry(own, { meter: meters.getMeter('forthright'), tracer: false });
  const call = { name: 'refund_order', scope: 's', arguments: '{"orderId":1,"amountCents":1}' };
  await runtime.call({ ...call, arguments: '{' });
  remote.behave = async () => noEvidence('no answer');
  await runtime.call(call);
  remote.behave = async () => {
    throw new Error('no route');
  };
  await runtime.call({ ...call, arguments: '{"orderId":2,"amountCents":1}' });
  await runtime.checkReply('s', 'I have refunded order 7.');
  await runtime.reconcile();
}

/** What Prometheus reads. */
function scrape(exporter: PrometheusExporter): Promise<string> {
  return new Promise((resolve) => {
    exporter.getMetricsRequestHandler(
      {} as never,
      { statusCode: 0, setHeader: () => undefined, end: resolve } as never,
    );
  });
}
