import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectTo, launch, advanceClock, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, json, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';
import { signOut } from '../support/states.testing.ts';

/** A saved key opens nothing after what locks or signs out, by the window or the bridge; `saved-key.spec.ts` has the rest. */
const key = 'cg_live_kept_key';
let service: FakeService;
let desktop: Desktop;

beforeAll(async () => {
  service = await startFake();
  desktop = await launch({ userData, stubs: true });
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
// After the hook that ends what writes there.
const userData = temporaryFolder();
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
const withSaved = () => desktop.page.getByRole('button', { name: 'Sign in with the saved key' });
const heading = (name: string): Promise<void> =>
  desktop.page.getByRole('heading', { name, exact: true }).waitFor();

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

/** Nothing that the page may call without a typed key opens the desk, and nothing is on the disk. */
async function opensNothing(): Promise<void> {
  const found = await desktop.page.evaluate(async () => {
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
  expect([await withSaved().count(), isSaved()]).toEqual([0, false]);
}

const press = (pressed: string) => () => desktop.page.keyboard.press(pressed);
const pass = (minutes: number) => () => advanceClock(desktop.app, minutes);
const system = (event: string) => () =>
  desktop.app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);
const refuse = async (): Promise<void> => {
  service.respondWith((_request, response) => {
    json(response, 401, { type: 'about:blank', title: 'No', status: 401 });
  });
  await desktop.page.evaluate(() => window.caregate.resolveUser({ call: 'c', clientUserId: 'x' }));
};
const ways: readonly (readonly [string, 'Locked' | 'Sign in', () => Promise<unknown>])[] = [
  ['Ctrl+L', 'Locked', press('Control+l')],
  ['idle minutes', 'Locked', pass(6)],
  ['sleep', 'Locked', system('suspend')],
  ["the system's lock", 'Locked', system('lock-screen')],
  ['more idle minutes', 'Sign in', pass(16)],
  ['the longest sign-in', 'Sign in', pass(12 * 60 + 1)],
  ['a key that is no longer accepted', 'Sign in', refuse],
];

describe('a saved key', () => {
  it('opens after an ordinary sign-out, and at the next start; not after the forgetting', async () => {
    await signInKeeping();
    expect(isSaved()).toBe(false);
    await signOut(desktop.page);
    await withSaved().click();
    await untilFind(desktop.page);
    await desktop.close();
    expect(isSaved()).toBe(true);
    desktop = await launch({ userData, stubs: true });
    await withSaved().click();
    await untilFind(desktop.page);
    // As Windows does at its own end.
    await desktop.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.emit('session-end');
    });
    await desktop.page.getByRole('button', { name: 'Forget the saved key' }).click();
    await withSaved().waitFor({ state: 'detached' });
    await opensNothing();
  });

  it.each(ways)('opens nothing after %s, which leads to: %s', async (_name, leads, act) => {
    await signInKeeping();
    await act();
    await heading(leads);
    await opensNothing();
    if (leads === 'Locked') {
      await desktop.page.getByRole('button', { name: 'Someone else…' }).click();
      await heading('Sign in');
      await opensNothing();
    }
  });

  it('opens nothing where the lock was held up by a pause of the whole program that then ended', async () => {
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
    desktop = await launch({ userData, stubs: true });
    await heading('Sign in');
    await opensNothing();
  });
});
