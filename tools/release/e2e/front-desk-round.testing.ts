/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { signInFirst } from './demo-clinic.testing.ts';
import type { Running } from './program.testing.ts';

/**
 * What a receptionist does for a person, by keys, from the first screen on: connects, signs in, finds, reads the newest
 * report, sees the chart, has the insurance and a label ready for the printer, locks. Each part of the page is loaded when
 * it is first used, and so is each that a package may lack. Rejects where a step does not come.
 */
export async function frontDeskRound(page: Page, service: Running): Promise<void> {
  await signInFirst(page, service);
  await page.locator('main form input:focus').waitFor();
  await page.keyboard.type('okon', { delay: 100 });
  await page.getByRole('option', { name: 'Amara Okonkwo-Lindqvist' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'Patient', exact: true })
    .getByText('MRN-000101')
    .waitFor();
  await page.keyboard.press('Control+2');
  await page.getByRole('main', { name: 'Labs' }).getByText('LDL Chol Calc').waitFor();
  await page.keyboard.press('Control+4');
  await page.locator('.u-over').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByText('NWM284902123').first().waitFor();
  await preview(page, 'Control+p', 'Print');
  await preview(page, 'Control+b', 'Print');
  await page.keyboard.press('Control+l');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
}

/** Opens a print panel, and waits until its page is drawn. */
async function preview(page: Page, key: string, name: string): Promise<void> {
  await page.keyboard.press(key);
  const panel = page.getByRole('dialog', { name, exact: true });
  await panel.getByText('exactly as').waitFor();
  await panel.locator('[aria-busy=false] canvas').first().waitFor();
  const inked = await panel
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 0 && value < 128).length;
    });
  if (inked < 100) throw new Error(`${name}: the preview is blank`);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
}
