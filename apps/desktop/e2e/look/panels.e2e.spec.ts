import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { endLooks, layoutFaults, picture, resize } from '../support/layout.testing.ts';
import { everything } from '../support/answers.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { openOrder, openPerson } from '../support/steps.testing.ts';
import type { Step } from '../support/steps.testing.ts';
import { waitForText } from '../support/state-walk.testing.ts';

const desk = signedInDesk(() => everything);
const widths = Array.from({ length: 16 }, (_none, place) => 1000 + 40 * place);
/** Set KEEP_LAYOUTS to a folder to look at each. */
const pictures = process.env['KEEP_LAYOUTS'];

const panels: readonly (readonly [name: string, come: Step, key: string])[] = [
  ['of a label over Overview', untilRead, 'Control+b'],
  [
    'of a print over Labs',
    async (page) => {
      await openOrder(page);
      await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    },
    'Control+p',
  ],
];

/** Until Overview has read everything. */
function untilRead(page: Page): Promise<void> {
  return page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
}

/** Where everything of the screen is. */
const places = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify(
      [...document.querySelectorAll('main, main *')].map((one) => one.getBoundingClientRect()),
    ),
  );

it.each(panels)(
  'the panel %s covers the screen without moving it, at each width',
  async (name, come, key) => {
    const { desktop, page } = desk;
    await openPerson(page);
    await come(page);
    const found: string[] = [];
    for (const width of widths) {
      await resize(desktop, { width, height: 860, zoom: 1 });
      const before = await places(page);
      await page.keyboard.press(key);
      await waitForText(page, 'exactly as');
      if ((await places(page)) !== before) found.push(`${String(width)}: the screen moved`);
      for (const fault of await layoutFaults(page)) found.push(`${String(width)}: ${fault}`);
      await endLooks(page);
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await picture(desktop, join(pictures, `panel ${name} ${String(width)}.png`));
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  },
);
