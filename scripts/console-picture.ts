import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  answered,
  createRuntime,
  memoryLedger,
  noEvidence,
  ok,
  rejected,
  tool,
} from '../src/index.ts';
import { startChromium } from '../test/support/chromium.ts';
import { builtConsole } from '../test/support/console-page.ts';

// The picture of docs/console.md: a desk at work for three quarters of a minute, as its console shows it.
const picture = fileURLToPath(new URL('../docs/images/console.png', import.meta.url));
const seconds = 45;

const names = ['refund_order', 'send_voucher', 'book_courier'] as const;
const input = {
  type: 'object',
  properties: { orderId: { type: 'integer' }, amountCents: { type: 'integer' } },
  required: ['orderId', 'amountCents'],
  additionalProperties: false,
} as const;

/** The same numbers each time. */
let seed = 7;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}

const tools = names.map((name) =>
  tool({
    name,
    description: name,
    input,
    effect: 'write',
    lane: ({ orderId }) => `order:${orderId}`,
    async run({ orderId }, ctx) {
      const [tookMs, fate] = [400 + random() ** 3 * 9_000, random()];
      await ctx.dispatch(async () => {
        await new Promise((resolve) => setTimeout(resolve, tookMs));
        if (fate < 0.02) return noEvidence('the connection was lost');
        return fate < 0.09 ? rejected('422') : answered({ id: orderId });
      });
      return ok('Done.', { orderId: Number(orderId) });
    },
  }),
);

const ledger = memoryLedger();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const runtime = createRuntime({ tools, ledger, logger, reconcileEveryMs: false });
const { consoleHandler, nodeListener } = await builtConsole();
const handler = consoleHandler(ledger, { auth: () => 'ann', runtime });
const server = createServer(nodeListener(handler));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const calling = setInterval(() => {
  const orderId = 4_500 + Math.floor(random() * 24);
  const args = { orderId, amountCents: 500 + Math.floor(random() * 40) * 50 };
  const name = names[Math.floor(random() * names.length)] ?? 'refund_order';
  void runtime.call({ name, arguments: JSON.stringify(args), scope: `chat-${orderId % 7}` });
}, 380);

const browser = await startChromium();
const page = await browser.newPage({ viewport: { width: 1_120, height: 1_010 } });
await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
await page.waitForTimeout(seconds * 1_000);
mkdirSync(new URL('../docs/images/', import.meta.url), { recursive: true });
await page.screenshot({ path: picture });
clearInterval(calling);
await browser.close();
server.closeAllConnections();
server.close();
await runtime.close({ graceMs: 1_000 });
process.exit(0);
