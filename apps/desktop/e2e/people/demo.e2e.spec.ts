import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Browser } from '@caregate/identity-provider';
import { enrolBeside } from '../../../../tools/setup/running-demo.mjs';
import { launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { catchBrowser, nextOpened } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** `npm start`, and beside it what `npm run desktop` opens: made-up staff sign in at the demo's own provider. */
const start = fileURLToPath(new URL('../../../../tools/setup/start.mjs', import.meta.url));
let started: ChildProcess;
let desktop: Desktop;

beforeAll(async () => {
  const demoFile = join(folder, 'demo.json');
  const options = ['--no-desktop', '--port', '0', '--users', '30', '--ready-file', demoFile];
  started = spawn(process.execPath, [start, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!existsSync(demoFile)) {
    if (started.exitCode !== null) throw new Error('npm start ended.');
    await sleep(50);
  }
  const readyFile = join(folder, 'ready.json');
  expect(await enrolBeside(demoFile, readyFile)).toBe(true);
  desktop = await launch({ readyFile });
});
afterAll(async () => {
  await desktop.close();
  started.kill('SIGTERM');
  if (started.exitCode === null) await once(started, 'exit');
});
// After the hook that ends what writes there.
const folder = temporaryFolder();

it('signs in by one click, unlocks by the PIN shown, and signs in others by the browser', async () => {
  const { page, app } = desktop;
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).waitFor();
  await page.getByRole('button', { name: /Clinician$/u }).click();
  await untilFind(page);
  await page.getByText('Ilse Marchetti-Obi').first().waitFor();
  await page.keyboard.insertText('MRN-000101');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();

  await page.keyboard.press('Control+l');
  const shown = await page.getByText('Demo PIN').innerText();
  await page.getByText('You return to the patient you had open').waitFor();
  await page.locator('input[type=password]').fill(/\d{6}/u.exec(shown)![0]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();

  await page.keyboard.press('Control+l');
  await catchBrowser(app);
  await page.getByRole('button', { name: 'Someone else' }).click();
  const back = await new Browser('').signIn(await nextOpened(app), 'front-desk');
  expect(await (await fetch(back)).text()).toContain('close this window');
  await page.getByText('Noor Abernathy-Sule').first().waitFor();
  await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();

  // A second click signs in somebody else, and nobody by the cookie of the one before.
  await page.evaluate(() => window.caregate.signOut({}));
  await page.evaluate(() => window.caregate.signOut({}));
  await page.getByRole('button', { name: /Privacy officer$/u }).click();
  await page.getByText('Caspian Nwosu-Lind').first().waitFor();
  expect(desktop.faults).toEqual([]);
});
