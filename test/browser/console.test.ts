import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimed, claimOf, dispatched, happened } from '../../src/testing/ledger-cases/stage.ts';
import { axeViolations, hasChromium, startChromium } from '../support/chromium.ts';
import { type ConsolePage, consolePage, unknownWrite } from '../support/console-page.ts';

const waitMs = 15_000;

describe.skipIf(!hasChromium)(
  `the console in a browser${hasChromium ? '' : " (needs Debian's chromium)"}`,
  () => {
    let browser: Browser;
    const closing: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(async () => {
      for (const close of closing) await close();
      await browser?.close();
    });

    async function serve(more: Parameters<typeof consolePage>[0] = {}): Promise<ConsolePage> {
      const its = await consolePage(more);
      closing.unshift(() => its.stop());
      return its;
    }

    /** A page, and what went wrong in it: nothing may. */
    async function visit(
      url: string,
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; wrong: string[]; asked: string[] }> {
      const context = await browser.newContext(options);
      closing.unshift(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(waitMs);
      const wrong: string[] = [];
      const asked: string[] = [];
      page.on('pageerror', (error) => wrong.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') wrong.push(message.text());
      });
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(url);
      return { page, wrong, asked };
    }

    const seen = (page: Page, text: string | RegExp): Promise<void> =>
      page.getByText(text).first().waitFor();

    test('what is unknown is settled: the consequences first, then the record of who and why', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a');
      const { page, wrong, asked } = await visit(url);
      await page.getByRole('link', { name: 'Look and settle: refund_order, order:4512' }).click();
      await page.getByRole('heading', { name: 'refund_order order:4512' }).waitFor();
      expect(await page.getByRole('button', { name: /^Record/ }).count()).toBe(0);
      await page.getByLabel('It did not happen').check();
      await seen(page, 'the same call may be sent again');
      await page.getByLabel('It happened').check();
      await seen(page, 'It cannot be taken back');
      await page.getByLabel('Why').fill('refund re_77 stands in the billing system');
      await seen(page, 'in the name of ann');
      await page.getByRole('button', { name: 'Record: it happened' }).click();
      await seen(page, 'ann settled it: it happened');
      await seen(page, '“refund re_77 stands in the billing system”');
      expect(await page.getByRole('heading', { name: 'Settle it' }).count()).toBe(0);
      expect((await ledger.get(entry.key))?.verdict).toMatchObject({
        verdict: 'happened',
        by: 'ann',
        why: 'refund re_77 stands in the billing system',
      });
      await page.getByRole('link', { name: 'Now' }).click();
      await seen(page, 'Nothing is unknown');
      expect(asked.filter((to) => !to.startsWith(url))).toEqual([]);
      expect(wrong).toEqual([]);
    });

    test('that it did not happen is not to be had while it may still take effect', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a', {}, 600_000);
      const { page } = await visit(`${url}#/entry/${entry.key}`);
      await page.getByLabel(/^It did not happen/).check();
      await seen(page, /^Not before/);
      expect(await page.getByRole('button', { name: /^Record/ }).count()).toBe(0);
    });

    test('two tabs: the other one sees the verdict without being asked', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a');
      const first = await visit(`${url}#/entry/${entry.key}`);
      const second = await visit(`${url}#/entry/${entry.key}`);
      await second.page.getByLabel('It happened').check();
      await first.page.getByLabel('It did not happen').check();
      await first.page.getByLabel('Why').fill('no such refund');
      await first.page.getByRole('button', { name: 'Record: it did not happen' }).click();
      await seen(second.page, 'ann recorded that it did not happen');
      // What was begun on another state has to be thought over anew.
      expect(await second.page.getByLabel('It happened').isChecked()).toBe(false);
      expect(await second.page.getByRole('button', { name: /^Record/ }).count()).toBe(0);
    });

    test('two tabs at once: the second verdict is refused, and told of the first', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a');
      const { page } = await visit(`${url}#/entry/${entry.key}`);
      await page.getByLabel('It happened').check();
      await page.getByLabel('Why').fill('seen in the books');
      // The request of this tab is held back until the other one's has arrived.
      await page.route('**/api/settle', async (route) => {
        const { key, state, token, generation } = entry;
        const seenBefore = { state, token };
        await ledger.settle({
          ...{ key, generation, verdict: 'did_not_happen', by: 'bob', why: 'not there' },
          ...{ result: '{}', seen: seenBefore },
        });
        await route.continue();
      });
      await page.getByRole('button', { name: 'Record: it happened' }).click();
      await seen(page, /Your verdict was not recorded.*bob settled it: “not there”/);
      expect((await ledger.get(entry.key))?.verdict).toMatchObject({ by: 'bob' });
    });

    test('a console that only shows has nothing to click', async () => {
      const { url, ledger } = await serve({ readOnly: true });
      const entry = await unknownWrite(ledger, 'a');
      const { page } = await visit(`${url}#/entry/${entry.key}`);
      await seen(page, 'This console only shows');
      await seen(page, 'read-only');
      expect(await page.getByRole('radio').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
    });

    test('finding: by entity, by key, page by page, and what is wrong or empty is said', async () => {
      const { url, ledger } = await serve();
      for (let i = 0; i < 60; i += 1) await claimed(ledger, `n${i}`, { lane: `order:${i}` });
      const wanted = await happened(ledger, 'wanted', { lane: 'order:4512', scope: 'chat-7' });
      const { page, wrong } = await visit(`${url}#/find`);
      await seen(page, '50 entries');
      await page.getByRole('button', { name: 'Show more' }).click();
      await seen(page, '61 entries, and that is all');
      await page.getByLabel('About').fill('4512');
      await page.getByLabel('About').press('Enter');
      await seen(page, '1 entry, and that is all');
      await page.getByRole('link', { name: wanted.key.slice(0, 12) }).click();
      await page.getByRole('heading', { name: 'refund_order order:4512' }).waitFor();
      await page.goBack();
      expect(await page.getByLabel('About').inputValue()).toBe('4512');
      await page.getByLabel('About').fill('');
      await page.getByLabel('Outcome').selectOption('failed');
      await page.getByRole('button', { name: 'Find' }).click();
      await seen(page, 'Nothing was found');
      await page.getByRole('link', { name: 'Clear' }).click();
      await page.getByLabel('Key').fill('xyz');
      await page.getByRole('button', { name: 'Find' }).click();
      await seen(page, 'A key has 64 hexadecimal digits');
      expect(wrong.filter((text) => !text.includes('400'))).toEqual([]);
    });

    test('by the keyboard alone: to the unknown, its form and its verdict', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a');
      const { page } = await visit(url);
      await seen(page, 'Look and settle');
      const tabTo = async (name: string): Promise<void> => {
        for (let i = 0; i < 40; i += 1) {
          await page.keyboard.press('Tab');
          const focused = await page.evaluate(() => {
            const { activeElement: its } = document;
            const labels = (its as HTMLInputElement | null)?.labels;
            const text = its?.getAttribute('aria-label') ?? labels?.[0]?.textContent;
            return text ?? its?.textContent ?? '';
          });
          if (focused.includes(name)) return;
        }
        throw new Error(`Tab does not lead to ${name}`);
      };
      await tabTo('Skip to the content');
      await page.keyboard.press('Enter');
      await tabTo('Look and settle: refund_order');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Settle it' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await tabTo('It happened');
      await page.keyboard.press('Space');
      await tabTo('Why');
      await page.keyboard.type('seen in the books');
      await tabTo('Record: it happened');
      await page.keyboard.press('Enter');
      await seen(page, 'ann settled it: it happened');
      expect((await ledger.get(entry.key))?.state).toBe('ok');
    });

    test('a server that goes away and comes back: it is said, what was seen stays, and it goes on', async () => {
      const served = await serve();
      await unknownWrite(served.ledger, 'a');
      const { page } = await visit(served.url);
      await seen(page, 'Look and settle');
      await served.stop();
      await seen(page, 'no connection, trying again…');
      await seen(page, /^As it was at/);
      await seen(page, 'Look and settle');
      await unknownWrite(served.ledger, 'b', { lane: 'order:4513' });
      await served.start();
      await seen(page, 'order:4513');
      await page.getByText('live', { exact: true }).waitFor();
      expect(await page.getByText(/^As it was at/).count()).toBe(0);
    });

    test('a server that is not there at first, and a ledger that does not answer', async () => {
      let isAway = true;
      const served = await serve({
        auth: () => {
          if (isAway) throw new Error('the session store is away');
          return 'ann';
        },
      });
      const { page } = await visit(served.url);
      await seen(page, 'There is no connection to the server');
      isAway = false;
      await seen(page, 'It is quiet');
    });

    test('nobody is signed in', async () => {
      const { url } = await serve({ auth: () => false });
      const { page } = await visit(url);
      await seen(page, 'You are not signed in');
      expect(await axeViolations(page)).toEqual([]);
    });

    test('a page of another origin reads and settles nothing', async () => {
      const { url, ledger } = await serve();
      const entry = await unknownWrite(ledger, 'a');
      const other = await serve();
      // Another origin, and by the name of the host another site too.
      const { page } = await visit(other.url.replace('127.0.0.1', 'localhost'));
      const { key, state, token, generation } = entry;
      const body = JSON.stringify({
        ...{ key, verdict: 'happened', why: 'evil' },
        seen: { state, token, generation },
      });
      const came = await page.evaluate(
        async ([to, text]) => {
          const tries = [
            { method: 'POST', mode: 'no-cors', body: text },
            {
              method: 'POST',
              body: text,
              headers: { 'content-type': 'application/json', 'x-forthright-console': 'page' },
            },
            { method: 'GET' },
          ] as RequestInit[];
          const ends = tries.map(async (init) => {
            const path = init.method === 'GET' ? 'entries' : 'settle';
            const answer = await fetch(`${to}api/${path}`, init).catch(() => undefined);
            return (await answer?.text().catch(() => '')) ?? '';
          });
          return Promise.all(ends);
        },
        [url, body] as const,
      );
      expect(came).toEqual(['', '', '']);
      expect((await ledger.get(entry.key))?.state).toBe('unknown');
    });

    describe.each([
      ['light', { width: 1280, height: 900 }],
      ['dark', { width: 1280, height: 900 }],
      ['light', { width: 360, height: 740 }],
      ['dark', { width: 360, height: 740 }],
    ] as const)('%s, %o', (colorScheme, viewport) => {
      test('no page has an accessibility violation, or is wider than its screen', async () => {
        const { url, ledger } = await serve();
        const entry = await unknownWrite(ledger, 'a', {
          scope: 'a-conversation-with-a-very-long-name-that-does-not-fit-anywhere-0123456789',
          lane: 'warehouse-of-the-north:order-with-a-very-long-name-0123456789-0123456789',
        });
        await ledger.claim(claimOf('a', { attemptId: 'again' }));
        await dispatched(ledger, 'b', { lane: 'order:2' });
        await happened(ledger, 'c', { lane: 'order:3' });
        const { page } = await visit(url, { colorScheme, viewport });
        const check = async (): Promise<void> => {
          expect(await axeViolations(page)).toEqual([]);
          const [wide, screen] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.documentElement.clientWidth,
          ]);
          expect(wide).toBeLessThanOrEqual(screen ?? 0);
        };
        await seen(page, 'order:2');
        await page.locator('.uplot canvas').first().waitFor();
        await page.getByText('As a table').first().click();
        await check();
        await page.goto(`${url}#/find`);
        await seen(page, '3 entries');
        await check();
        await page.goto(`${url}#/entry/${entry.key}`);
        await page.getByLabel('It did not happen').check();
        await seen(page, 'identical call');
        await check();
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(ground).toBe(colorScheme === 'dark' ? 'rgb(18, 21, 26)' : 'rgb(246, 245, 241)');
      });
    });

    test('an empty ledger is no error', async () => {
      const { url } = await serve();
      const { page, wrong } = await visit(url);
      await seen(page, 'It is quiet');
      await seen(page, 'Nothing is unknown');
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`${url}#/find`);
      await seen(page, 'Nothing was found');
      await page.goto(`${url}#/entry/${'0'.repeat(64)}`);
      await seen(page, 'No entry has this key');
      expect(wrong.filter((text) => !text.includes('404'))).toEqual([]);
    });
  },
);
