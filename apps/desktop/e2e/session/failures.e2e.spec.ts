import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { AppState } from '../../src/shared/app-state.ts';
import { everything } from '../support/answers.testing.ts';
import { eventually, launch, untilFind } from '../support/desktop.testing.ts';
import { startFake } from '../support/fake-service.testing.ts';
import { signedInDesk, signIn, unlock } from '../support/signed-in-desk.testing.ts';
import { open, openPerson } from '../support/steps.testing.ts';

const desk = signedInDesk(undefined, { mayReportFaults: true });

/** Sends the page what its own types rule out, so that it throws while it renders. */
async function sendState(change: object): Promise<void> {
  await desk.desktop.app.evaluate(({ BrowserWindow }, sent) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('caregate:state', sent);
  }, change);
}

async function stateNow(): Promise<AppState> {
  const answer = await desk.desktop.page.evaluate(() => window.caregate.state({}));
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
}

const log = ({ userData }: { readonly userData: string }): string =>
  readFileSync(join(userData, 'logs', 'desktop.log'), 'utf8');

async function lockedByKey(): Promise<void> {
  const { page } = desk.desktop;
  await page.keyboard.press('Control+L');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await unlock(page);
  await untilFind(page);
}

describe('a screen that throws', () => {
  it('hides the recents, works again after Reload, and locks by Ctrl+L', async () => {
    const { page } = desk.desktop;
    const { settings } = await stateNow();
    desk.service.respondWith(everything);
    await openPerson(page);
    await open('Settings')(page);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await sendState({ settings: { ...settings, prints: undefined } });
    await page.getByRole('heading', { name: 'This screen failed' }).waitFor();
    expect(await page.getByText('MRN-1').or(page.getByText('Ashgrove')).count()).toBe(0);
    await sendState({ settings });
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('navigation', { name: 'Recent' }).getByText('Ashgrove').waitFor();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await sendState({ settings: { ...settings, prints: undefined } });
    await page.getByRole('heading', { name: 'This screen failed' }).waitFor();
    await page.keyboard.press('Control+L');
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await sendState({ settings });
    expect(log(desk.desktop)).toMatch(/page-failed error=TypeError at=\S+\.js:\d+:\d+/u);
  });
});

describe('a window that throws', () => {
  const throwEverywhere = async (): Promise<void> => {
    await sendState({ status: { ...(await stateNow()).status, people: undefined } });
    await desk.desktop.page.getByText('Patient data is hidden.').waitFor();
  };

  it('hides everything, and locks by Ctrl+L', async () => {
    await throwEverywhere();
    expect(await desk.desktop.page.getByRole('main').count()).toBe(1);
    await lockedByKey();
  });

  it('works again after Reload and shows that it was reloaded', async () => {
    const { page } = desk.desktop;
    await throwEverywhere();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('The window was loaded again after a fault.').waitFor();
    await untilFind(page);
    await lockedByKey();
  });
});

// A window of its own: the test runner gives up a page that crashed.
it('a page whose process crashed is reloaded and can be locked', async () => {
  const [desktop, service] = await Promise.all([launch(), startFake()]);
  // A script in a page that has crashed never ends.
  const inPage = (script: string): Promise<unknown> =>
    desktop.app.evaluate(
      ({ BrowserWindow }, code) =>
        Promise.race([
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
          new Promise((resolve) => setTimeout(resolve, 1000)),
        ]),
      script,
    );
  const untilSaid = (text: string): Promise<unknown> =>
    eventually(text, async () => {
      const shownText = await inPage('document.body.innerText').catch(() => '');
      return String(shownText).includes(text) || undefined;
    });
  try {
    await signIn(desktop, service);
    await desktop.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await untilSaid('The window was loaded again after a fault.');
    expect(log(desktop)).toContain('page-crashed');
    await inPage('window.caregate.lock({})');
    await untilSaid('Locked');
  } finally {
    await desktop.close();
    await service.stop();
  }
});
