/// <reference lib="dom" />
import { createRequire } from 'node:module';
import { _electron } from 'playwright-core';
import type { Page } from 'playwright-core';
import { sandboxFlag, type App } from './runtime.ts';

/** Holds `ready` back until Playwright is connected, as the end-to-end tests do. */
const holdBack = createRequire(import.meta.url)
  .resolve('playwright-core/package.json')
  .replace(/package\.json$/u, 'lib/server/electron/loader.js');

export interface Window {
  readonly page: Page;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

/** The desktop with its page in Playwright's hands. */
export async function openWindow(executable: string, app: App): Promise<Window> {
  const electron = await _electron.launch({
    executablePath: executable,
    args: ['-r', holdBack, ...sandboxFlag, app.folder, `--user-data-dir=${app.userData}-driven`],
    colorScheme: null,
    env: { ...(process.env as Record<string, string>), LANGUAGE: 'en_US' },
  });
  const page = await electron.firstWindow();
  page.setDefaultTimeout(60_000);
  await page.waitForSelector(app.usable);
  const pid = electron.process().pid ?? 0;
  return { page, pid, close: () => electron.close() };
}

/** Signs in through the page's own door to main. */
export async function signIn(page: Page, address: string, key: string): Promise<void> {
  await page.evaluate(
    async ([to, by]) => {
      const { caregate } = window as unknown as {
        caregate: { signIn: (request: object) => Promise<{ ok: boolean; problem?: unknown }> };
      };
      const { ok, problem } = await caregate.signIn({ address: to, key: by, saveKey: false });
      if (!ok) throw new Error(JSON.stringify(problem));
    },
    [address, key],
  );
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
}

/** Looks a client id up by keys; resolves when the person is on the screen. */
export async function openPerson(page: Page, clientUserId: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel('Name, birth date, phone or id').fill(clientUserId);
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'Person', exact: true })
    .getByText(clientUserId, { exact: true })
    .first()
    .waitFor();
}

/** Shows the newest result of the person who is open by keys. */
export async function openNewestResult(page: Page): Promise<void> {
  await page.keyboard.press('Control+2');
  await page.getByRole('table', { name: 'Results' }).waitFor();
}

/** Shows an order's result by its number; while no person is open, whose list would stand there. */
export async function openOrder(page: Page, orderId: string): Promise<void> {
  await page.keyboard.press('Control+2');
  await page.getByLabel('Order number', { exact: true }).fill(orderId);
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Results' }).waitFor();
}

/**
 * Puts `benchPainted()` into the page: resolves to the page's clock after the next frame's style, layout and paint
 * (a message is behind them in the queue).
 */
export async function addClock(page: Page): Promise<void> {
  await page.evaluate(() => {
    const painted = (): Promise<number> =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve(performance.now());
          };
          port2.postMessage(undefined);
        });
      });
    Object.assign(window, { benchPainted: painted });
  });
}

/** Takes a measure of the page's own away, so that the next is a new one. */
export async function forget(page: Page, name: string): Promise<void> {
  await page.evaluate((which) => {
    performance.clearMeasures(which);
  }, name);
}

/** The next measure of this name: when it began and how long it took, by the page's clock in milliseconds. */
export async function next(page: Page, name: string): Promise<{ start: number; duration: number }> {
  const found = await page.waitForFunction((which) => {
    const entry = performance.getEntriesByName(which).at(-1);
    return entry && { start: entry.startTime, duration: entry.duration };
  }, name);
  const value = await found.jsonValue();
  if (value === undefined) throw new Error(`the page measured no ${name}`);
  return value;
}
