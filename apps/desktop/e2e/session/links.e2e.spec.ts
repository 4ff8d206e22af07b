import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { appFolder, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, json, startFake, userOf } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';
import { signIn as signInTo, lockAnew, unlock } from '../support/signed-in-desk.testing.ts';

/** Links of other programs: a second start with one, as the system makes it. */
let desktop: Desktop;
let service: FakeService;
const asked: string[] = [];

startedDesk(startFake, (there) => {
  ({ desktop, service } = there);
  service.respondWith((request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, userOf('MRN-1'));
    else emptyTeam(request, response);
  });
});

const signIn = (): Promise<void> => signInTo(desktop, service);

/** Starts the program once more, with these arguments; it hands them on and ends. */
async function startAgain(...args: string[]): Promise<void> {
  const second = spawn(
    process.env['DESKTOP_ELECTRON']!,
    [appFolder, `--user-data-dir=${desktop.userData}`, '--no-sandbox', ...args],
    { stdio: 'ignore' },
  );
  expect(await once(second, 'exit')).toEqual([0, null]);
  expect(desktop.app.windows()).toHaveLength(1);
}

const looksUp = (): number => asked.filter((url) => url.includes('/resolve/')).length;

describe('a link', () => {
  it('is refused with a message while nobody is signed in, and is not kept', async () => {
    const { page } = desktop;
    await startAgain('caregate://person/MRN-1');
    await page.getByRole('alert').getByText('nobody is signed in').waitFor();
    await signIn();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(looksUp()).toBe(0);
  });

  it('opens the patient only after a confirmation', async () => {
    const { page } = desktop;
    await startAgain('caregate://person/MRN-1');
    const question = page.getByRole('alertdialog', { name: 'Open this patient?' });
    await question.getByText('MRN-1').waitFor();
    expect(looksUp()).toBe(0);
    // An Enter that was meant for something else opens nothing.
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(looksUp()).toBe(0);
    await startAgain('caregate://person/MRN-1');
    await question.getByRole('button', { name: 'Open', exact: true }).press('Enter');
    await page.getByRole('region', { name: 'Patient', exact: true }).getByText('MRN-1').waitFor();
    expect(looksUp()).toBe(1);
  });

  it('of an order needs a confirmation too, which a newer link doesn’t replace', async () => {
    const { page } = desktop;
    const order = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
    await startAgain(`caregate://order/${order}`);
    const question = page.getByRole('alertdialog', { name: 'Open this order?' });
    await question.getByText(order).waitFor();
    await startAgain('caregate://person/MRN-2');
    await startAgain('caregate://person/..');
    await question.getByText(order).waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(1);
    await question.getByRole('button', { name: "Don't open" }).press('Enter');
  });

  it('is refused while the desk is locked; a lock drops the confirmation', async () => {
    const { page } = desktop;
    await startAgain('caregate://person/CANARY-LINK');
    await page.getByRole('alertdialog').getByText('CANARY-LINK').waitFor();
    await lockAnew(page);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await page.content()).not.toContain('CANARY-LINK');
    await startAgain('caregate://person/CANARY-LINK');
    await page.getByRole('alert').getByText('the desk is locked').waitFor();
    expect(await page.content()).not.toContain('CANARY-LINK');
    await unlock(page);
    await untilFind(page);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });
});
