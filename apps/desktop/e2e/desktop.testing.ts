import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';

/** What Electron is given to run: package.json names the built main. */
export const appFolder = fileURLToPath(new URL('..', import.meta.url));

/**
 * Playwright's own way to hold back `ready` until it is connected. It adds that by itself only where it finds the
 * executable by itself; without it, a window that opens while it connects hangs one start in ten.
 */
const holdBack = join(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
  '../lib/server/electron/loader.js',
);

export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** What the page's policy refused, and errors that nobody caught: both stay empty in every test. */
  readonly faults: string[];
  readonly userData: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** The ready file of a demo service, for its one-click sign-in. */
  readonly readyFile?: string;
  /** BCP 47, as the system would have it. */
  readonly locale?: string;
  /** A folder of an earlier launch, to start again on what it left. */
  readonly userData?: string;
  /** Stands for the computer's own policy. */
  readonly policyFile?: string;
}

/** Starts the built desktop in a real Electron, with a user-data folder of its own, and waits for its window. */
export async function launch(options: LaunchOptions = {}): Promise<Desktop> {
  const { readyFile, policyFile, locale = 'en-US' } = options;
  const userData = options.userData ?? mkdtempSync(join(tmpdir(), 'caregate-desktop-'));
  const app = await _electron.launch({
    timeout: 20_000,
    // The app's own setting decides, and not the test runner.
    colorScheme: null,
    executablePath: process.env['DESKTOP_ELECTRON']!,
    args: [
      '-r',
      holdBack,
      appFolder,
      `--user-data-dir=${userData}`,
      `--lang=${locale}`,
      ...(readyFile === undefined ? [] : [`--demo=${readyFile}`]),
      ...(policyFile === undefined ? [] : [`--policy=${policyFile}`]),
    ],
    env: { ...(process.env as Record<string, string>), LANGUAGE: locale.replace('-', '_') },
  });
  const faults: string[] = [];
  app.context().on('console', (message) => {
    // Pages that a test opens by itself may do what they like.
    if (message.page()?.url().startsWith('app://caregate/') !== true) return;
    if (
      message.type() === 'error' ||
      /violat|Content Security|TrustedHTML/iu.test(message.text())
    ) {
      faults.push(message.text());
    }
  });
  const page = await app.firstWindow();
  page.on('pageerror', (error) => faults.push(error.message));
  await page.waitForSelector('#root > *');
  return {
    app,
    page,
    faults,
    userData,
    close: async () => {
      await app.close();
      if (options.userData === undefined) rmSync(userData, { recursive: true, force: true });
    },
  };
}
