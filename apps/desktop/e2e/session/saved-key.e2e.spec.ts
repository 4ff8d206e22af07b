import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { connectTo, launch, advanceClock, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, json, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { signOut } from '../support/states.testing.ts';

/** A saved key opens nothing after a lock or an automatic sign-out, by whatever way: the window's, or the bridge's. */
const key = 'cg_live_kept_key';
let service: FakeService;
let desktop: Desktop;
let userData: string;

beforeAll(async () => {
  service = await startFake();
  userData = mkdtempSync(join(tmpdir(), 'caregate-saved-key-'));
  desktop = await launch({ userData, stubs: true });
});
afterAll(async () => {
  await desktop.close();
  rmSync(userData, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  await service.stop();
});
/** Each begins before the sign-in, with no key saved. */
beforeEach(async () => {
  service.respondWith(emptyTeam);
  await desktop.page.evaluate(() => window.caregate.signOut({}));
  expect(isSaved()).toBe(false);
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

/** In the folder, which is all that the next start has. */
const isSaved = (): boolean => readdirSync(userData).includes('staff-key');
const withSaved = (page: Page) => page.getByRole('button', { name: 'Sign in with the saved key' });

async function signInKeeping(): Promise<void> {
  const { page } = desktop;
  await connectTo(page, service.address);
  await page.getByLabel("Clinic's Caregate address").fill(service.address);
  await page.getByLabel('Staff key').fill(key);
  await page.getByText('Save this key on this computer').click();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await untilFind(page);
}

async function untilSignIn(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
}

const locked = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Locked' }).waitFor();

/** Everything that the page may call, without a typed key. */
async function refusedByTheBridge(page: Page): Promise<void> {
  const found = await page.evaluate(async () => {
    const { caregate } = window;
    const before = await caregate.status({});
    const outcomes = [
      await caregate.signInWithSavedKey({}),
      await caregate.unlock({ key: 'cg_live_' }),
      await caregate.resolveUser({ call: 'c', clientUserId: 'MRN-1' }),
    ];
    const after = await caregate.status({});
    return { before, outcomes: outcomes.map(({ ok }) => ok), after };
  });
  expect(found.before).toMatchObject({ ok: true, value: { keySaved: false } });
  expect(found.outcomes).toEqual([false, false, false]);
  expect(found.after).toEqual(found.before);
}

/** Starts again on what is left, and finds nothing to sign in with; the window is the next test's. */
async function startAgain(): Promise<void> {
  desktop = await launch({ userData, stubs: true });
  await untilSignIn(desktop.page);
  expect(await withSaved(desktop.page).count()).toBe(0);
  await refusedByTheBridge(desktop.page);
}

async function kill(): Promise<void> {
  const program = desktop.app.process();
  const ended = once(program, 'exit');
  program.kill('SIGKILL');
  await ended;
}

const locks: Readonly<Record<string, () => Promise<unknown>>> = {
  'Ctrl+L': () => desktop.page.keyboard.press('Control+l'),
  'idle minutes': () => advanceClock(desktop.app, 6),
  sleep: () => desktop.app.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend')),
  "the system's lock": () =>
    desktop.app.evaluate(({ powerMonitor }) => powerMonitor.emit('lock-screen')),
};

const signOuts: Readonly<Record<string, () => Promise<unknown>>> = {
  'idle minutes': () => advanceClock(desktop.app, 16),
  'the longest sign-in': () => advanceClock(desktop.app, 12 * 60 + 1),
  'idle minutes while it is locked': async () => {
    await desktop.page.keyboard.press('Control+l');
    await locked(desktop.page);
    await advanceClock(desktop.app, 16);
  },
  'a key that is no longer accepted': async () => {
    service.respondWith((_request, response) => {
      json(response, 401, { type: 'about:blank', title: 'No', status: 401 });
    });
    await desktop.page.evaluate(() =>
      window.caregate.resolveUser({ call: 'c', clientUserId: 'x' }),
    );
  },
};

describe('a saved key', () => {
  it('opens after an ordinary sign-out, and at the next start; not after the forgetting', async () => {
    await signInKeeping();
    expect(isSaved()).toBe(false);
    await signOut(desktop.page);
    await withSaved(desktop.page).click();
    await untilFind(desktop.page);
    await desktop.close();
    expect(isSaved()).toBe(true);
    desktop = await launch({ userData, stubs: true });
    await withSaved(desktop.page).click();
    await untilFind(desktop.page);
    await signOut(desktop.page);
    await desktop.page.getByRole('button', { name: 'Forget the saved key' }).click();
    await withSaved(desktop.page).waitFor({ state: 'detached' });
    await refusedByTheBridge(desktop.page);
  });

  it('is saved when Windows ends the session', async () => {
    await signInKeeping();
    await desktop.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.emit('session-end');
    });
    await withSaved(desktop.page).waitFor();
    await desktop.page.getByRole('button', { name: 'Forget the saved key' }).click();
    await withSaved(desktop.page).waitFor({ state: 'detached' });
  });

  it('is not left by a program that was killed', async () => {
    await signInKeeping();
    await kill();
    await startAgain();
  });
});

describe('after the lock, a saved key', () => {
  it.each(Object.entries(locks))(
    'by %s opens nothing: in the page, by the bridge, and after switching person; none is on the disk',
    async (_name, lock) => {
      await signInKeeping();
      await lock();
      await locked(desktop.page);
      expect(isSaved()).toBe(false);
      await refusedByTheBridge(desktop.page);
      await desktop.page.getByRole('button', { name: 'Someone else…' }).click();
      await untilSignIn(desktop.page);
      expect(await withSaved(desktop.page).count()).toBe(0);
      await refusedByTheBridge(desktop.page);
      expect(isSaved()).toBe(false);
    },
  );
});

describe('after the automatic sign-out, a saved key', () => {
  it.each(Object.entries(signOuts))(
    'by %s opens nothing, and none is on the disk',
    async (_name, automatic) => {
      await signInKeeping();
      await automatic();
      await untilSignIn(desktop.page);
      expect(await withSaved(desktop.page).count()).toBe(0);
      await refusedByTheBridge(desktop.page);
      expect(isSaved()).toBe(false);
    },
  );
});

describe('while it is locked', () => {
  it('a window that is closed leaves no saved key', async () => {
    await signInKeeping();
    await desktop.page.keyboard.press('Control+l');
    await locked(desktop.page);
    const ended = once(desktop.app.process(), 'exit');
    await desktop.app
      .evaluate(({ BrowserWindow }) => {
        for (const window of BrowserWindow.getAllWindows()) window.close();
      })
      .catch(() => undefined);
    await ended;
    await startAgain();
  });

  it('a second window is as closed as the first', async () => {
    await signInKeeping();
    const opened = desktop.app.waitForEvent('window');
    await desktop.page.keyboard.press('Control+Shift+n');
    const second = await opened;
    await untilFind(second);
    await desktop.page.keyboard.press('Control+l');
    await locked(second);
    await refusedByTheBridge(second);
    await second.getByRole('button', { name: 'Someone else…' }).click();
    for (const page of [second, desktop.page]) {
      await untilSignIn(page);
      expect(await withSaved(page).count()).toBe(0);
      await refusedByTheBridge(page);
    }
    await second.close();
  });

  it('a lock that a pause of the whole program held up is not passed by closing the window', async () => {
    await signInKeeping();
    const ended = once(desktop.app.process(), 'exit');
    // In one go: no tick of the clock comes between.
    await desktop.app
      .evaluate(({ app }) => {
        (globalThis as unknown as { advanceClock: (by: number) => void }).advanceClock(6 * 60_000);
        app.quit();
      })
      .catch(() => undefined);
    await ended;
    await startAgain();
  });
});
