import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, untilFind } from './support/desktop.testing.ts';
import { provideRuntime } from './runtime.mjs';
import { signInToDemo, startClinic } from './support/provider.testing.ts';

/** `npm run screenshots [FOLDER]`: the pictures of the README. Those of every state: KEEP_LAYOUTS (`support/looks.testing.ts`). */
const folder = process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url));
const endDisplay = await provideRuntime();
const clinic = await startClinic();
const { sample } = clinic.service;
const desktop = await launch({ readyFile: clinic.readyFile });
const { page } = desktop;
const take = async (screen: string): Promise<void> => {
  // What moves or is being read is there by then.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `${screen}.png`) });
};
try {
  await signInToDemo(page);
  await untilFind(page);
  await page.keyboard.insertText('okon');
  await take('find');
  await page.locator('main input').fill(sample.client_user_id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  await take('overview');
  await page.keyboard.press('Control+2');
  await take('labs');
} finally {
  await desktop.close();
  await clinic.stop();
  endDisplay();
}
console.log(`Pictures are in ${folder}`);
