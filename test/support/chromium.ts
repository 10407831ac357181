import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's Chromium, or the one that CHROMIUM names. */
const executablePath: string = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser; a test that needs one says so by its name where there is none. */
export const hasChromium: boolean = existsSync(executablePath);

/** Starts it without a window, and without any request of its own. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { html: string }[];
  }[];
}

/** What axe finds wrong on a page as it is now: rules, and where they are broken. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // As a script of the test's own: the page's policy lets none in.
  const source = await import('node:fs/promises').then(({ readFile }) => readFile(path, 'utf8'));
  await page.evaluate(source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
