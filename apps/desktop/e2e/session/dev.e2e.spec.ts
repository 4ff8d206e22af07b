import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { appFolder, displayOfWorker } from '../support/desktop.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const start = fileURLToPath(new URL('../../../../tools/setup/start.mjs', import.meta.url));
const folder = temporaryFolder();

it('npm run dev opens the desktop beside the demo and shows a saved file without a reload', async () => {
  const demo = ['--port', '0', '--users', '30', '--ready-file', join(folder, 'demo.json')];
  const dev = spawn(process.execPath, [start, '--dev', ...demo], {
    env: {
      ...process.env,
      ...displayOfWorker(),
      XDG_CONFIG_HOME: folder,
      REMOTE_DEBUGGING_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const page = await openedPage(dev.stderr);
    await page.getByRole('button', { name: /Clinician$/u }).click();
    await page.locator('main form input').waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const updated = page.waitForEvent('console', (message) =>
      message.text().includes('hot updated: /features/search/home.tsx'),
    );
    const now = new Date();
    utimesSync(join(appFolder, 'src/renderer/features/search/home.tsx'), now, now);
    await updated;
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  } finally {
    dev.kill('SIGTERM');
    if (dev.exitCode === null) await once(dev, 'exit');
  }
});

/** Electron prints the address of its debugger. */
async function openedPage(stderr: NodeJS.ReadableStream): Promise<Page> {
  for await (const line of createInterface(stderr)) {
    const [, address] = /DevTools listening on (ws:\S+)/u.exec(line) ?? [];
    if (address === undefined) continue;
    stderr.resume();
    const browser = await chromium.connectOverCDP(address);
    const context = browser.contexts()[0]!;
    return context.pages()[0] ?? (await context.waitForEvent('page'));
  }
  throw new Error('npm run dev ended without a window.');
}
