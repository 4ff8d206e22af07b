import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { launch, look, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';

/** The demo's Amara at the desk: seven orders, one corrected, one partial, one awaited. */
const pictures = fileURLToPath(new URL('../../reports/screenshots', import.meta.url));
let service: DemoService;
let desktop: Desktop;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  service = await startDemo();
  desktop = await launch({ readyFile: service.readyFile });
  page = desktop.page;
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
beforeEach(async () => {
  await size(1280, 800);
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
  await page.keyboard.insertText('MRN-000101');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
  expect(desktop.faults).toEqual([]);
});

async function size(width: number, height: number): Promise<void> {
  await desktop.app.evaluate(
    ({ BrowserWindow }, [wide, high]) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(wide, high);
    },
    [width, height] as const,
  );
  await page.waitForFunction(([wide, high]) => innerWidth === wide && innerHeight === high, [
    width,
    height,
  ] as const);
}

const list = (): Locator => page.getByRole('list', { name: 'Lab orders' });
const rows = (): Locator => page.getByRole('table', { name: 'Results' }).locator('tbody > tr');
const row = (name: string): Locator => rows().filter({ hasText: name });

/** Opens the corrected report: one key to the newest, two to the one before it. */
async function openCorrected(): Promise<void> {
  await page.keyboard.press('Control+2');
  await rows().first().waitFor();
  await page.waitForFunction(() => document.activeElement?.hasAttribute('aria-current'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('alert', { name: 'Report status' }).getByText('5.6').waitFor();
}

describe('the lab desk of the demo', () => {
  it('shows where the awaited order is, and no error', async () => {
    await page.keyboard.press('Control+2');
    await list().getByText('Awaited').click();
    await page.getByRole('heading', { name: 'No result yet' }).waitFor();
    await page.locator('[aria-current=step]').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('has the newest report one key from the person, with earlier values and their trend', async () => {
    await page.keyboard.press('Control+2');
    await page.getByRole('img', { name: /128$/u }).first().waitFor();
    const states = await list().getByRole('button').allInnerTexts();
    expect(states[0]).toContain('Awaited');
    expect(states.join(' ')).toMatch(/Corrected[\s\S]*Partial/u);
    const trend = await row('LDL').getByRole('img').first().getAttribute('aria-label');
    // Four earlier reports have it, and this one.
    expect(trend?.split(', ').length).toBeGreaterThanOrEqual(5);
    await row('TSH').getByText('First time').waitFor();
  });

  it('says what a correction changed, in the banner and in the row, and compares both versions', async () => {
    await openCorrected();
    const banner = page.getByRole('alert', { name: 'Report status' });
    const said = (await banner.innerText()).replaceAll(/[\u2066-\u2069]/gu, '');
    expect(said).toContain('Corrected');
    expect(said).toContain('Potassium is 4.4 mmol/L; the earlier report said 5.6.');
    const mark = (await row('Potassium').innerText()).replaceAll(/[\u2066-\u2069]/gu, '');
    expect(mark).toContain('was 5.6');
    expect(
      await rows()
        .filter({ hasText: /was \S/u })
        .count(),
    ).toBe(1);
    await banner.getByRole('button', { name: 'Compare' }).click();
    const compared = page.getByRole('row').filter({ hasText: 'Potassium' });
    await compared.getByText('Other result').waitFor();
    await page.getByText(/^1 of \d+ differ\./u).waitFor();
    await page.screenshot({ path: join(pictures, 'labs-compared.png') });
    await page.getByRole('button', { name: 'Only what differs' }).click();
    expect(await page.getByRole('region', { name: 'Comparison' }).locator('tbody tr').count()).toBe(
      1,
    );
  });

  it('shows twelve rows and their head in 1280 x 800 under the banner, and the head stays', async () => {
    await openCorrected();
    await page.getByRole('img', { name: /^\d/u }).first().waitFor();
    const seen = async (): Promise<{ whole: number; head: boolean }> =>
      page.evaluate(() => {
        const head = document.querySelector('main thead')!.getBoundingClientRect();
        const { bottom } = document
          .querySelector('main table')!
          .parentElement!.getBoundingClientRect();
        const whole = [...document.querySelectorAll('main tbody > tr')].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.top >= head.bottom - 1 && box.bottom <= Math.min(bottom, innerHeight) + 1;
        }).length;
        const top = document.elementFromPoint(head.left + 30, head.top + head.height - 4);
        return { whole, head: top?.closest('thead') !== null };
      });
    const before = await seen();
    expect(before.head).toBe(true);
    expect(before.whole).toBeGreaterThanOrEqual(12);
    await rows().last().scrollIntoViewIfNeeded();
    expect((await seen()).head).toBe(true);
  });

  it('is nowhere wider than the window, in both colours, in three languages and two widths', async () => {
    await openCorrected();
    for (const [theme, language, width] of [
      ['light', 'en', 1280],
      ['dark', 'en', 1280],
      ['light', 'ar', 1280],
      ['light', 'es', 1024],
    ] as const) {
      await look(page, { theme, language });
      await size(width, 800);
      await page.screenshot({
        path: join(pictures, `labs-desk-${theme}-${language}-${String(width)}.png`),
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    }
    await look(page, { theme: 'light', language: 'en' });
  });
});
