import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '@caregate/identity-provider';
import { chromium } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { enrolBeside } from '../../../../tools/setup/running-demo.mjs';
import {
  appFolder,
  displayOfWorker,
  launch,
  patienceMs,
  startElectron,
  untilFind,
} from '../support/desktop.testing.ts';
import { catchBrowser, nextOpened } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** `npm run dev`, and beside it what `npm run desktop` opens: made-up staff sign in at the demo's own provider. */
const start = fileURLToPath(new URL('../../../../tools/setup/start.mjs', import.meta.url));
const browserFolder = fileURLToPath(new URL('browser', import.meta.url));
let started: ChildProcess;
let opened: Promise<Page>;

beforeAll(async () => {
  const options = ['--dev', '--port', '0', '--users', '30', '--ready-file', demoFile];
  started = spawn(process.execPath, [start, ...options], {
    env: {
      ...process.env,
      ...displayOfWorker(),
      // The desktop speaks English, whatever the machine's language is.
      LC_ALL: 'en_US.UTF-8',
      LANGUAGE: 'en_US',
      XDG_CONFIG_HOME: folder,
      REMOTE_DEBUGGING_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  opened = openedPage(started.stderr!);
  while (!existsSync(demoFile)) {
    if (started.exitCode !== null) throw new Error('npm run dev ended.');
    await sleep(50);
  }
});
afterAll(async () => {
  started.kill('SIGTERM');
  if (started.exitCode === null) await once(started, 'exit');
});
// After the hook that ends what writes there.
const folder = temporaryFolder();
const demoFile = join(folder, 'demo.json');

it('npm run dev opens the desktop beside the demo and shows a saved file without a reload', async () => {
  const page = await opened;
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
  // The service stays.
  await page.close();
});

it('signs in by one click, unlocks by the PIN shown, and signs in others by the browser', async () => {
  const readyFile = join(folder, 'ready.json');
  expect(await enrolBeside(demoFile, readyFile)).toBe(true);
  const desktop = await launch({ readyFile });
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
  await desktop.close();
});

describe("the service's documentation in a real browser", () => {
  let browser: ElectronApplication;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await startElectron([browserFolder, `--user-data-dir=${join(folder, 'browser')}`]);
    page = await browser.firstWindow({ timeout: patienceMs });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });
  afterAll(() => browser.close());

  it('shows every operation, without a warning and without an error', async () => {
    const { base_url: address } = JSON.parse(readFileSync(demoFile, 'utf8')) as {
      base_url: string;
    };
    await page.goto(`${address}/docs`);
    await page.locator('.opblock').first().waitFor();
    const document = (await (await fetch(`${address}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    const warnings = page.locator(
      '.version-pragma, .errors-wrapper, [class*="warning" i], [role=alert]',
    );
    expect(await warnings.allInnerTexts()).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(
      /jsonSchemaDialect|may not render correctly|Unable to render|resolver error/iu,
    );
    expect(faults).toEqual([]);
  });

  it('shows the headers of an answer and leads from a problem to its page', async () => {
    await page.locator('#operations-Users-resolveUser .opblock-summary-control').click();
    const headers = page
      .locator('#operations-Users-resolveUser .responses-wrapper .headers')
      .first();
    await headers.waitFor();
    expect(await headers.innerText()).toContain('x-audit-record-id');
    await page.locator('[id$="-problemType"] .opblock-summary-control').click();
    // The link itself opens a window of its own.
    const link = page.getByRole('link', { name: '/problems/not-found' }).first();
    await page.goto(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/problems/not-found');
    expect(faults).toEqual([]);
  });
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
