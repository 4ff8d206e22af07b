import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { saveAs, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

const env = { TZ: 'Asia/Tokyo' };
const folder = temporaryFolder();
let service: DemoService;
let desktop: Desktop;

startedDesk(
  () => startClinic(),
  (there) => {
    ({ desktop } = there);
    ({ service } = there.service);
  },
  ({ readyFile }) => ({ readyFile, env }),
);
afterEach(async () => {
  await desktop.page.evaluate(() => window.caregate.signOut({}));
});

const main = (page: Page): Promise<string> => page.locator('main').innerText();

describe('times', () => {
  it('are the computer’s on the screen and on paper, with the name of its zone', async () => {
    const { page } = desktop;
    await signInToDemo(page);
    await untilFind(page);
    await page.keyboard.insertText(service.sample.client_user_id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await page.getByText('GMT+9').first().waitFor();
    expect(await main(page)).not.toMatch(/\bUTC\b/u);
    await page.keyboard.press('Control+4');
    await page.getByText('this computer (Asia/Tokyo)').waitFor();
    await page.keyboard.press('Control+3');
    await page.getByText('Member id').first().waitFor();
    const file = join(folder, 'insurance.pdf');
    await saveAs(desktop, file);
    await page.keyboard.press('Control+p');
    await page.getByRole('button', { name: /^Save/u }).click();
    await page.getByText('Saved.').waitFor();
    const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
    const [, hour, minute] = /(\d\d):(\d\d):\d\d GMT\+9/u.exec(text) ?? [];
    const [here, there] = [Number(hour) * 60 + Number(minute), minuteInTokyo(new Date())];
    // The minute may have passed in between.
    expect((there - here + 1440) % 1440).toBeLessThan(10);
  });
});

function minuteInTokyo(at: Date): number {
  return (at.getUTCHours() * 60 + at.getUTCMinutes() + 540) % 1440;
}
