import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
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

describe('times', () => {
  it('are the computer’s on the screen and on paper', async () => {
    const { page } = desktop;
    await signInToDemo(page);
    await untilFind(page);
    await page.keyboard.insertText(service.sample.client_user_id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    expectNow(
      await page
        .getByText(/^As of /u)
        .first()
        .innerText(),
    );
    await page.keyboard.press('Control+3');
    await page.getByText('Member ID').first().waitFor();
    const file = join(folder, 'insurance.pdf');
    await saveAs(desktop, file);
    await page.keyboard.press('Control+p');
    await page.getByRole('button', { name: /^Save/u }).click();
    await page.getByText('Saved.').waitFor();
    const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
    expectNow(text);
  });
});

/** Expects the time in Tokyo, at most ten minutes ago. */
function expectNow(text: string): void {
  const [, hour, minute, half] = /\b(\d{1,2}):(\d\d) ([AP]M)/u.exec(text) ?? [];
  const shown = ((Number(hour) % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute);
  const at = new Date();
  const now = at.getUTCHours() * 60 + at.getUTCMinutes() + 540;
  expect((now - shown + 1440) % 1440).toBeLessThan(10);
}
