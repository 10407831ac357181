import { fileURLToPath } from 'node:url';
import { serveDesk } from '../examples/support-desk/web/server.ts';
import { startChromium } from '../test/support/chromium.ts';

// The picture of the desk in README.md: npx tsx scripts/desk-screenshot.ts
const desk = await serveDesk({ port: 0 });
const browser = await startChromium();
const page = await browser.newPage({
  viewport: { width: 1180, height: 860 },
  reducedMotion: 'reduce',
});
await page.goto(desk.url);
await page.locator('[data-scenario="lost-answer"]').click();
await page.locator('.verdict[data-over="true"]').waitFor();
const path = fileURLToPath(new URL('../docs/images/desk.png', import.meta.url));
await page.screenshot({ path });
await browser.close();
await desk.close();
