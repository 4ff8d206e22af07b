import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { trackProcess } from './processes.testing.ts';

/** The folder with the package.json of the desktop, which names the built main. */
export const appFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Playwright's own loader delays the `ready` event until Playwright is connected. Playwright adds it only if it starts
 * the installed Electron itself. Without it, one start in ten hangs.
 */
const holdBack = join(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
  '../lib/server/electron/loader.js',
);

/** The same loader with stubs for what the test machine lacks. */
const stubs = fileURLToPath(new URL('electron-stubs.testing.cjs', import.meta.url));

/** The time limit of a start or a step, since the machine may be busy. */
export const patienceMs = 120_000;

/** The texts of a loading screen; the second one is shown after five seconds. */
export const LOADING = /Loading …|Still w/u;

export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Violations of the content policy and uncaught errors. Both lists stay empty in every test. */
  readonly faults: string[];
  readonly userData: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** The ready file of a demo service, for sign-ins without a page. */
  readonly readyFile?: string;
  /** The system's language as a BCP 47 tag. */
  readonly locale?: string;
  /** The user-data folder of an earlier launch, to continue with its files. */
  readonly userData?: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Stands in for the computer's own policy file. */
  readonly policyFile?: string;
  /** Whether to stub the key store, which the test machine lacks, and the wall clock for `advanceClock`. */
  readonly stubs?: boolean;
}

/** Starts the built desktop in a real Electron with its own user-data folder, and waits for the window. */
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
      // The only printers are those of the test.
      CUPS_SERVER: join(userData, 'no-cups.sock'),
      ...options.env,
    },
    options.stubs === true ? stubs : holdBack,
  );
  const faults: string[] = [];
  app.context().on('console', (message) => {
    // Pages that a test opens itself may violate the policy.
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
      // Chromium's helper processes may still write after the program has ended.
      if (options.userData === undefined) {
        rmSync(userData, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
}

/** The display of this Jest worker, if the setup has started one. */
export function displayOfWorker(): { readonly DISPLAY?: string } {
  const displays = process.env['DESKTOP_DISPLAYS']?.split(' ') ?? [];
  const DISPLAY = displays[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  return DISPLAY === undefined ? {} : { DISPLAY };
}

/** Starts the app in the folder that is the first argument. */
export async function startElectron(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  loader = holdBack,
): Promise<ElectronApplication> {
  const app = await started({
    timeout: patienceMs,
    // The app's own color theme applies, and not that of the test runner.
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
 * About one start in a hundred ends with a segmentation fault while the debugger attaches, before any of our code has
 * run. Only such a start is repeated, with a message. All other failures fail the test.
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

/** Sets the wall clock of main forward. Works only after a launch with stubs. */
export async function advanceClock(app: ElectronApplication, minutes: number): Promise<void> {
  await app.evaluate((_electron, by) => {
    (globalThis as unknown as { advanceClock: (milliseconds: number) => void }).advanceClock(by);
  }, minutes * 60_000);
}

/** Waits until Search is shown and its field has the focus, so that typing works. */
export async function untilFind(page: Page): Promise<void> {
  await page.locator('main form input:focus').waitFor();
  await page.getByRole('heading', { name: 'Search' }).waitFor();
}

/** Enters the clinic's address and an enrollment code, as on the first run, up to the sign-in. */
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

/** Answers the next "Save as" dialog with this file. */
export async function saveAs({ app }: Desktop, file: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
}

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'es' | 'ar';
}

/** The look in which tests search for English texts. */
export const plain = { theme: 'light', language: 'en' } as const satisfies Look;

/** Sets theme and language, and waits until the page has both. */
export async function look(page: Page, wanted: Look): Promise<void> {
  await page.evaluate(async (next) => {
    const isSet = (): boolean =>
      matchMedia('(prefers-color-scheme: dark)').matches === (next.theme === 'dark') &&
      document.documentElement.lang.split('-')[0] === next.language;
    if (!isSet()) await window.caregate.changeSettings(next);
    while (!isSet()) await new Promise(requestAnimationFrame);
  }, wanted);
}

/** Reads the clipboard and, on Linux, the selection. Older versions of Electron have another interface. */
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

/** Reads all files below the folder. A file that Chromium deletes in the meantime counts as empty. */
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

/** Repeats the question until there is an answer. After the time limit, the error names what was missing. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`Waited in vain: ${what}.`);
    await sleep(20);
  }
}
