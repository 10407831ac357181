import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '../../examples/support-desk/conversation.ts';
import { scenarios } from '../../examples/support-desk/scenarios/index.ts';
import { type DeskServer, serveDesk } from '../../examples/support-desk/web/server.ts';
import { chatServer } from '../adapters/chat-server.ts';
import { axeViolations, hasChromium, startChromium } from '../support/chromium.ts';

const needs = hasChromium ? '' : " (needs Debian's chromium)";
const refund = 'Please refund 20.00 on order 4512 because it came late.';

describe.skipIf(!hasChromium)(`the desk in a browser${needs}`, () => {
  let browser: Browser;
  let desk: DeskServer;
  const pages: Page[] = [];

  beforeAll(async () => {
    [browser, desk] = await Promise.all([startChromium(), serveDesk({ port: 0 })]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });

  /** A page of its own; what goes wrong in it fails the test that looks at it. */
  async function open(options: BrowserContextOptions = {}, url = desk.url): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    pages.push(page);
    await page.goto(url);
    await page.getByRole('button', { name: 'Talk to them yourself' }).waitFor();
    return page;
  }
  const complaints: string[] = [];

  const half = (page: Page, side: 'today' | 'forthright') => page.locator(`.half.${side}`);
  const sum = (page: Page, side: 'today' | 'forthright') => half(page, side).locator('.sum strong');
  const lastReply = (page: Page, side: 'today' | 'forthright') =>
    half(page, side).locator('.bubble.agent').last();

  async function say(page: Page, text: string, fate = ''): Promise<void> {
    const replies = await half(page, 'forthright').locator('.bubble.agent').count();
    await page.getByLabel('What the customer says').fill(text);
    await page.getByLabel('Meanwhile').selectOption(fate);
    await page.getByRole('button', { name: 'Say it to both' }).click();
    await half(page, 'forthright').locator('.bubble.agent').nth(replies).waitFor();
  }

  async function play(page: Page, name: string): Promise<void> {
    await page.locator(`[data-scenario="${name}"]`).click();
    await page.locator(`nav [aria-current="true"][data-scenario="${name}"]`).waitFor();
    await page.locator('.verdict[data-over="true"]').waitFor({ timeout: 60_000 });
  }

  it.each(scenarios.map(({ name }) => name))(
    'plays %s to its end, and billing did what was meant',
    async (name) => {
      const page = await open();
      await play(page, name);
      expect(await page.locator('.verdict').textContent()).not.toContain('Not as promised');
      const meant = scenarios.find((one) => one.name === name)?.refunds ?? [];
      const meantCents = meant.reduce((all, cents) => all + cents, 0);
      expect(await sum(page, 'forthright').textContent()).toBe((meantCents / 100).toFixed(2));
      expect(complaints).toEqual([]);
    },
    90_000,
  );

  it('shows what today’s agent does to a lost answer, and what forthright does', async () => {
    const page = await open();
    await play(page, 'lost-answer');
    expect(await sum(page, 'today').textContent()).toBe('80.00');
    expect(await sum(page, 'forthright').textContent()).toBe('20.00');
    expect(await half(page, 'forthright').locator('.ledger').textContent()).toContain('ok');
  });

  it('unfolds a plan to its steps with status, summary, next actions and outputs', async () => {
    const page = await open();
    await play(page, 'dates');
    const plan = half(page, 'forthright').locator('.plan').first();
    expect(await plan.locator('dl').first().isVisible()).toBe(false);
    await plan.locator('summary').click();
    const text = (await plan.textContent()) ?? '';
    expect(text).toContain('failed');
    expect(text).toContain('The end date must be on or after the start date.');
    expect(text).toContain('Retry with an endDate that is on or after startDate.');
    expect(text).toContain('"parameterName":"endDate"');
    expect(text).toContain('completed');
  });

  it('asks the customer what is missing, and goes on with the answer', async () => {
    const page = await open();
    await say(page, 'And my orders until 2025-05-31?');
    expect(await lastReply(page, 'forthright').textContent()).toMatch(/start ?date/i);
    await say(page, '2025-05-01');
    const plan = half(page, 'forthright').locator('.plan').last();
    expect(await plan.textContent()).toContain('{"endDate":"2025-05-31","startDate":"2025-05-01"}');
    expect(await plan.locator('summary .badge').textContent()).toBe('completed');
  });

  it('shows what was corrected in a reply', async () => {
    const page = await open();
    await play(page, 'false-claim');
    const corrected = half(page, 'forthright').locator('.corrected');
    expect(await corrected.locator('del').textContent()).toContain('I have refunded 20.00');
    expect(await lastReply(page, 'forthright').textContent()).not.toContain('I have refunded');
    expect(await lastReply(page, 'today').textContent()).toContain('I have refunded');
  });

  it('lets a person decide', async () => {
    const page = await open();
    await say(page, 'Please refund 249.00 on order 4513 because it never came.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => sum(page, 'forthright').textContent()).toBe('249.00');
  });

  it.each([
    ['lose_answer', '40.00', '20.00'],
    ['commit_then_503', '40.00', '20.00'],
  ])('lets the visitor have %s befall a write', async (fate, today, forthright) => {
    const page = await open();
    await say(page, refund, fate);
    await expect.poll(() => sum(page, 'today').textContent()).toBe(today);
    expect(await sum(page, 'forthright').textContent()).toBe(forthright);
    await page.getByRole('button', { name: 'Ask billing now' }).click();
    await expect
      .poll(() => half(page, 'forthright').locator('.ledger').textContent())
      .toContain('settled by reconcile');
    await say(page, 'It is not there yet. Refund 20.00 on order 4512 because the lamp was late.');
    expect(await sum(page, 'forthright').textContent()).toBe('20.00');
  });

  it('lets a real model answer where one is configured', async () => {
    const hello = { text: 'Hello, this is the real model.' };
    const server = await chatServer([hello, hello]);
    const model = modelOf({ MODEL_URL: server.baseURL, MODEL_NAME: 'a-real-model' });
    const own = await serveDesk({ port: 0, ...(model === undefined ? {} : { model }) });
    const page = await open({}, own.url);
    await page.getByLabel('by a-real-model').check();
    await say(page, 'Hello?');
    for (const side of ['today', 'forthright'] as const) {
      await expect.poll(() => lastReply(page, side).textContent()).toBe(hello.text);
    }
    await page.close();
    await own.close();
    await server.close();
  });

  it('kills a worker and hands its job to another one', async () => {
    const page = await open();
    await say(page, refund, 'worker_dies_after');
    await expect.poll(() => sum(page, 'today').textContent(), { timeout: 30_000 }).toBe('40.00');
    expect(await sum(page, 'forthright').textContent()).toBe('20.00');
    expect(await half(page, 'forthright').textContent()).toContain('The worker is killed.');
  }, 60_000);

  it('lets billing crash and start again, hang and go on, and time pass', async () => {
    const page = await open();
    await say(page, refund, 'crash_after_commit');
    await half(page, 'forthright').getByText('The billing server is down.').waitFor();
    await page.getByRole('button', { name: 'Restart billing' }).click();
    await half(page, 'forthright')
      .getByText('The billing server is down.')
      .waitFor({ state: 'detached' });
    const asked = page.getByRole('button', { name: 'Let billing go on' });
    await page.getByLabel('What the customer says').fill('Refund 5.00 on order 4514.');
    await page.getByLabel('Meanwhile').selectOption('hang_after_commit');
    await page.getByRole('button', { name: 'Say it to both' }).click();
    await half(page, 'forthright').getByText('It holds a request.').waitFor();
    await page.getByRole('button', { name: '5 s pass' }).click();
    await expect
      .poll(() => lastReply(page, 'forthright').textContent())
      .toContain('being confirmed');
    await asked.click();
    await half(page, 'forthright').getByText('The desk has learned').waitFor();
  });

  it('can be used by keyboard alone', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Talk to them yourself');
    for (let tabs = 0; tabs < 80; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.name')) === 'wish') break;
    }
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Refund 20.00 on order 4512.');
    await page.keyboard.press('Enter');
    await expect.poll(() => sum(page, 'forthright').textContent()).toBe('20.00');
  });

  it.each([
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 375, height: 700 } }],
  ] as const)('has no violations that axe finds, %s', async (_how, options) => {
    const page = await open(options);
    await play(page, 'lost-answer');
    for (const summary of await page.locator('.plan summary').all()) await summary.click();
    expect(await axeViolations(page)).toEqual([]);
    const { scrollWidth, clientWidth } = (await page.evaluate(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    )) as { scrollWidth: number; clientWidth: number };
    expect(scrollWidth).toBe(clientWidth);
  });

  it('says that the server went away, and shows all again once it is back', async () => {
    const own = await serveDesk({ port: 0 });
    const page = await open({}, own.url);
    await say(page, refund);
    await page.context().setOffline(true);
    await own.breakConnections();
    await page.getByText('The server is not there.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The server is not there.').waitFor({ state: 'detached' });
    expect(await half(page, 'forthright').locator('.bubble.customer').count()).toBe(1);
    await page.close();
    await own.close();
  });
});

describe('the server of the desk', () => {
  let desk: DeskServer;
  beforeAll(async () => {
    desk = await serveDesk({ port: 0 });
  });
  afterAll(() => desk.close());

  const post = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, desk.url), { method: 'POST', ...init });

  it('listens on this machine only, and refuses pages from elsewhere', async () => {
    expect(new URL(desk.url).hostname).toBe('127.0.0.1');
    const foreign = await post('/rooms', { headers: { origin: 'http://evil.example' } });
    expect(foreign.status).toBe(403);
    expect((await post('/rooms')).status).toBe(201);
  });

  it('says what is wrong with a request', async () => {
    const { room } = (await (await post('/rooms')).json()) as { room: string };
    const asked = async (what: string, body: string) => {
      const response = await post(`/rooms/${room}/${what}`, { body });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await asked('say', '{')).toEqual([400, 'the body has to be JSON']);
    expect(await asked('begin', '{"scenario":"nope"}')).toEqual([404, 'there is no scenario nope']);
    expect((await asked('say', '{"text":"a","fate":"flood","realModel":false}'))[1]).toMatch(
      /^fate: /,
    );
    expect(await asked('say', '{"text":"a","fate":null,"realModel":true}')).toEqual([
      400,
      'no real model is configured',
    ]);
    expect((await asked('turn', '{"turn":"pass","ms":-1}'))[0]).toBe(400);
    expect((await post('/rooms/none/say')).status).toBe(404);
  });

  it('lets nothing from elsewhere into the page', async () => {
    const page = await fetch(desk.url);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toMatch(/(src|href)="https?:/);
  });
});
