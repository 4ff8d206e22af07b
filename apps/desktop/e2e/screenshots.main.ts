import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, untilFind } from './support/desktop.testing.ts';
import { provideRuntime } from './runtime.mjs';
import { connectScanner } from './support/scanner.testing.ts';
import { startDemo } from './support/service.testing.ts';

/** `npm run screenshots [FOLDER]`: the pictures of the README. Those of every state: KEEP_LAYOUTS (`support/looks.testing.ts`). */
const folder = process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url));
const endDisplay = await provideRuntime();
const service = await startDemo();
const desktop = await launch({ readyFile: service.readyFile });
const { page } = desktop;
const take = async (screen: string): Promise<void> => {
  // What moves or is being read is there by then.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `${screen}.png`) });
};
try {
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
  await page.keyboard.insertText('okon');
  await take('find');
  await page.locator('main input').fill(service.sample.client_user_id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  for (const [key, screen] of [
    ['Control+2', 'labs'],
    ['Control+4', 'activity'],
    ['Control+3', 'insurance'],
    ['Control+p', 'print'],
  ] as const) {
    await page.keyboard.press(key);
    await take(screen);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').getByRole('button', { name: 'Today' }).click();
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
  }
  // What was said about it goes by itself.
  await page.locator('[data-react-aria-top-layer] p').waitFor({ state: 'detached' });
  await take('today');
} finally {
  await desktop.close();
  await service.stop();
  endDisplay();
}
console.log(`Pictures are in ${folder}`);
