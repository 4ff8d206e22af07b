import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { trackProcess } from './processes.testing.ts';

/** What Electron is given to run: package.json names the built main. */
export const appFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Playwright's own way to hold back `ready` until it is connected. It adds that by itself only where it finds the
 * executable by itself; without it, a window that opens while it connects hangs one start in ten.
 */
const holdBack = join(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
  '../lib/server/electron/loader.js',
);

/** The same, with stubs for what a test's machine lacks. */
const stubs = fileURLToPath(new URL('electron-stubs.testing.cjs', import.meta.url));

/** A start, or one step of a test, may take so long where the machine is busy with other work. */
export const patienceMs = 120_000;

/** What a screen says while it waits; after five seconds it is the other sentence. */
export const LOADING = /Loading …|Still w/u;

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
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Stands for the computer's own policy. */
  readonly policyFile?: string;
  /** A key store, which the tests' machine has none of, and a wall clock for `advanceClock`. */
  readonly stubs?: boolean;
}

/** Starts the built desktop in a real Electron, with a user-data folder of its own, and waits for its window. */
export async function launch(options: LaunchOptions = {}): Promise<Desktop> {
  const { readyFile, policyFile, locale = 'en-US' } = options;
  const userData = options.userData ?? mkdtempSync(join(tmpdir(), 'caregate-desktop-'));
  const app = await startElectron(
    [
      appFolder,
      `--user-data-dir=${userData}`,
      `--lang=${locale}`,
      ...(readyFile === undefined ? [] : [`--demo=${readyFile}`]),
      ...(policyFile === undefined ? [] : [`--policy=${policyFile}`]),
    ],
    {
      LANGUAGE: locale.replace('-', '_'),
      // No printer but what a test brings.
      CUPS_SERVER: join(userData, 'no-cups.sock'),
      ...options.env,
    },
    options.stubs === true ? stubs : holdBack,
  );
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
  const page = await app.firstWindow({ timeout: patienceMs });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.waitForSelector('#root > *');
  return {
    app,
    page,
    faults,
    userData,
    close: async () => {
      await app.close();
      // Chromium's helpers may write for a moment longer than the program runs.
      if (options.userData === undefined) {
        rmSync(userData, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
}

/** The display of this worker of Jest, where the set-up has started one for each. */
export function displayOfWorker(): { readonly DISPLAY?: string } {
  const displays = process.env['DESKTOP_DISPLAYS']?.split(' ') ?? [];
  const DISPLAY = displays[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  return DISPLAY === undefined ? {} : { DISPLAY };
}

/** Starts the app in a folder, the first of the arguments, in a real Electron. */
export async function startElectron(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  loader = holdBack,
): Promise<ElectronApplication> {
  const app = await started({
    timeout: patienceMs,
    // The app's own setting decides, and not the test runner.
    colorScheme: null,
    executablePath: process.env['DESKTOP_ELECTRON']!,
    args: ['-r', loader, ...args],
    env: {
      ...(process.env as Record<string, string>),
      ...displayOfWorker(),
      ...env,
    },
  });
  app.context().setDefaultTimeout(patienceMs);
  return app;
}

/**
 * The runtime itself now and then dies of a segmentation fault while the debugger attaches (about one start in a
 * hundred), before anything of ours has run: that start alone is made again, and said. Every other failure is one.
 */
async function started(
  options: NonNullable<Parameters<typeof _electron.launch>[0]>,
): Promise<ElectronApplication> {
  for (let tries = 1; ; tries += 1) {
    try {
      const app = await _electron.launch(options);
      const { pid } = app.process();
      trackProcess('started', pid);
      app.process().once('exit', () => {
        trackProcess('ended', pid);
      });
      return app;
    } catch (error) {
      if (tries === 3 || !/signal=SIGSEGV/u.test(String(error))) throw error;
      console.warn('Electron died while the debugger attached; started again.');
    }
  }
}

/** Sets the wall clock of main forward; only of a launch with stubs. */
export async function advanceClock(app: ElectronApplication, minutes: number): Promise<void> {
  await app.evaluate((_electron, by) => {
    (globalThis as unknown as { advanceClock: (milliseconds: number) => void }).advanceClock(by);
  }, minutes * 60_000);
}

/** Until Find is there and its field has the focus: from then on, what is typed goes into it. */
export async function untilFind(page: Page): Promise<void> {
  await page.locator('main form input:focus').waitFor();
  await page.getByRole('heading', { name: 'Search' }).waitFor();
}

/** From the first run, which asks for the clinic's address and an enrolment code, to the sign-in. */
export async function connectTo(page: Page, address: string, code: string): Promise<void> {
  const connect = page.getByRole('heading', { name: 'Connect to your clinic' });
  const enrol = page.getByLabel('Enrollment code');
  const signIn = page.getByRole('button', { name: 'Sign in with' });
  await connect.or(enrol).or(signIn).waitFor();
  if (await connect.isVisible()) {
    await page.getByLabel("Clinic's Caregate address").fill(address);
    await page.keyboard.press('Enter');
    await enrol.or(signIn).waitFor();
  }
  if (await enrol.isVisible()) {
    await enrol.fill(code);
    await page.keyboard.press('Enter');
  }
  await signIn.waitFor();
}

/** The next "Save as" of the window is answered with this file. */
export async function saveAs({ app }: Desktop, file: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
}

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'es' | 'ar';
}

/** The look in which texts are looked for in English. */
export const plain = { theme: 'light', language: 'en' } as const satisfies Look;

/** Sets colours and language, and waits until the page has both. */
export async function look(page: Page, wanted: Look): Promise<void> {
  await page.evaluate(async (next) => {
    await window.caregate.changeSettings(next);
    while (
      matchMedia('(prefers-color-scheme: dark)').matches !== (next.theme === 'dark') ||
      document.documentElement.lang.split('-')[0] !== next.language
    ) {
      await new Promise(requestAnimationFrame);
    }
  }, wanted);
}

/** What the clipboard holds, and on Linux the selection; in older Electron and in newer. */
export function readClipboards(app: ElectronApplication): Promise<[string, string]> {
  return app.evaluate(async ({ clipboard }) => {
    const { selection } = clipboard as { selection?: typeof clipboard };
    const older = clipboard as unknown as { readText: (which: string) => string };
    return [
      await clipboard.readText(),
      await (selection === undefined ? older.readText('selection') : selection.readText()),
    ];
  });
}

/** Every file below the folder, with what it holds; what Chromium takes away in the meantime holds nothing. */
export function filesUnder(folder: string): [string, Buffer][] {
  const files: [string, Buffer][] = [];
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesUnder(path));
    if (!entry.isFile()) continue;
    const content = unlessGone(() => readFileSync(path));
    if (content !== undefined) files.push([path, content]);
  }
  return files;
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Asks until the answer is there; throws with what was waited for where it never is. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`Waited in vain: ${what}.`);
    await sleep(20);
  }
}
