import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launch, look } from './support/desktop.testing.ts';
import { provideRuntime } from './runtime.mjs';
import { PEOPLE } from './support/people-states.testing.ts';
import { enterPeopleState } from './support/people-steps.testing.ts';
import { connectScanner } from './support/scanner.testing.ts';
import { startDemo } from './support/service.testing.ts';

/** Pictures of each screen, in light and dark, from left to right and from right to left; to be looked at. */
const folder = process.argv[2] ?? fileURLToPath(new URL('../reports/screenshots', import.meta.url));
/** Of some looks alone, where they are named. */
const wanted = process.argv[3]?.split(',');
const all = [
  { name: 'light', theme: 'light', language: 'en' },
  { name: 'dark', theme: 'dark', language: 'en' },
  { name: 'spanish', theme: 'light', language: 'es' },
  { name: 'spanish-dark', theme: 'dark', language: 'es' },
  { name: 'arabic', theme: 'light', language: 'ar' },
  { name: 'arabic-dark', theme: 'dark', language: 'ar' },
] as const;
const looks = all.filter(({ name }) => wanted?.includes(name) ?? true);

mkdirSync(folder, { recursive: true });
const endDisplay = await provideRuntime();
const service = await startDemo();
try {
  for (const { name, theme, language } of looks) {
    const desktop = await launch({ readyFile: service.readyFile });
    const { page } = desktop;
    const take = (screen: string): Promise<unknown> =>
      page.screenshot({ path: join(folder, `${screen}-${name}.png`) });
    await look(page, { theme, language });
    await take('sign-in');
    await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
    await walk(page, take, service.sample);
    for (const [state, how] of Object.entries(PEOPLE)) {
      // Its texts are looked for in English.
      await look(page, { theme: 'light', language: 'en' });
      await enterPeopleState(desktop, how);
      await look(page, { theme, language });
      await take(`people-${state.replaceAll(/\W+/gu, '-')}`);
    }
    await desktop.close();
  }
} finally {
  await service.stop();
  endDisplay();
}
console.log(`Screenshots are in ${folder}`);

async function walk(
  page: Page,
  take: (screen: string) => Promise<unknown>,
  sample: { client_user_id: string },
): Promise<void> {
  await page.waitForTimeout(1500);
  await page.keyboard.insertText('okon');
  await page.waitForTimeout(1500);
  await take('find');
  await page.locator('main input').fill('nobody-here');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(600);
  await take('find-not-found');
  await page.locator('main input').fill(sample.client_user_id);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(600);
  await take('person');
  await page.keyboard.press('Control+2');
  await page.waitForTimeout(2000);
  await take('labs');
  // The order before it, which a correction replaced.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1500);
  await take('labs-corrected');
  await page.locator('main header button').nth(1).click();
  await page.waitForTimeout(1500);
  await take('labs-compare');
  await page.keyboard.press('Control+4');
  await page.waitForTimeout(1500);
  await take('activity');
  await page.keyboard.press('Control+3');
  await page.waitForTimeout(800);
  await take('insurance');
  await page.keyboard.press('Control+p');
  await page.getByRole('dialog').getByRole('img').first().waitFor();
  await page.waitForTimeout(500);
  await take('print');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+b');
  await page.getByRole('dialog').getByRole('img').first().waitFor();
  await page.waitForTimeout(500);
  await take('label');
  await page.keyboard.press('Escape');
  await page.locator('section button:has(.lucide-list-checks)').first().click();
  await page.locator('nav button:has(.lucide-list-checks)').first().click();
  const scanner = await connectScanner(page);
  const listed = await page.evaluate(() =>
    window.caregate.listUsers({ call: 'l', offset: 5, limit: 4 }),
  );
  for (const one of listed.ok ? listed.value.value.users : []) {
    await scanner.scan(one.client_user_id, () => 10);
    await page.waitForTimeout(600);
  }
  for (const [row, time] of ['9:20', '9:40', '10:10'].entries()) {
    await page.locator('main input').nth(row).fill(time);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
  }
  // What was said about it goes by itself.
  await page.locator('[data-react-aria-top-layer] p').waitFor({ state: 'detached' });
  await take('today');
  await page.keyboard.press('Control+5');
  await page.waitForTimeout(300);
  await take('details');
  for (const place of [-4, -3]) {
    await page.locator('footer button[aria-haspopup=menu]').click();
    await page.getByRole('menuitem').nth(place).click();
    await page.waitForTimeout(600);
    await take(place === -4 ? 'settings' : 'about');
  }
  await page.keyboard.press('Control+Shift+K');
  await page.waitForTimeout(500);
  await take('palette');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  await page.keyboard.press('F1');
  await page.waitForTimeout(500);
  await take('keys');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  await scanner.scan('3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10', () => 10);
  await page.waitForTimeout(600);
  await take('scan-not-found');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+l');
  await page.waitForTimeout(300);
  await take('lock');
}
