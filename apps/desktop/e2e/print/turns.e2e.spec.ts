import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { everything } from '../support/answers.testing.ts';
import { eventually, launch, saveAs } from '../support/desktop.testing.ts';
import { recordingBy } from '../support/fake-service.testing.ts';
import { holdPrints } from '../support/held-prints.testing.ts';
import type { HeldPrinter } from '../support/held-prints.testing.ts';
import { signedInDesk, signIn } from '../support/signed-in-desk.testing.ts';
import { openPerson } from '../support/states.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

let printer: HeldPrinter;
const folder = temporaryFolder();
/** How many desk events the service received, and when it answers the next. */
let events = 0;
let log = Promise.resolve();

// Without lp the page prints, as it does on Windows.
const desk = signedInDesk(
  () =>
    recordingBy((_body, answer) => {
      events += 1;
      void log.then(() => {
        answer(201);
      });
    }, everything),
  { hasPrinter: true, env: { PATH: '/nowhere' } },
);

beforeEach(async () => {
  events = 0;
  log = Promise.resolve();
  printer = await holdPrints(desk.desktop);
  await openInsurance(desk.desktop.page);
  await openPanel();
});

async function openInsurance(page: Page): Promise<void> {
  await openPerson(page);
  await page.keyboard.press('Control+3');
  await page.getByText('MEMBER-77').waitFor();
}

async function openPanel(page = desk.desktop.page): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.getByText('Ready.').waitFor();
  await page.locator('[role=dialog] button:focus', { hasText: 'Print' }).waitFor();
}

/** The log keeps its answer until the function is called. */
function holdLog(): () => void {
  let answer = (): void => undefined;
  log = new Promise((resolve) => {
    answer = resolve;
  });
  return answer;
}

const eventsOf = (count: number): Promise<true> =>
  eventually('the record', () => Promise.resolve(events >= count ? true : undefined));

/** Has a window make as many labels as it may hold, and one more. */
async function makeLabels(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let label = 0; label < 5; label += 1) {
      const made = await window.caregate.makeLabel({
        ...{ size: '54x25', language: 'en', direction: 'ltr', name: '', born: '' },
        ...{ clientUserId: 'MRN-1', recordIds: ['9f4c2a7be1d05836c7a41f0e5b8d2963'] },
      });
      if (!made.ok) throw new Error(made.problem.kind);
    }
  });
}

async function openSecond(): Promise<Page> {
  const { app, page } = desk.desktop;
  const opened = app.waitForEvent('window');
  await page.evaluate(() => window.caregate.openWindow({}));
  const second = await opened;
  await second.waitForSelector('#root > *');
  return second;
}

describe('the print panel', () => {
  it('prints once where Enter is pressed twice', async () => {
    const { page } = desk.desktop;
    const answer = holdLog();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await eventsOf(1);
    await page.getByText('Printing …').waitFor();
    answer();
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    expect(events).toBe(1);
    // And then again, where somebody asks again.
    await page.keyboard.press('Enter');
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    expect(events).toBe(2);
    expect(await printer.sheets()).toEqual([1, 1]);
  });

  it('has only its own sheets in the page while a label is printed by its key', async () => {
    const { page } = desk.desktop;
    await page.evaluate(async () => {
      const settings = await window.caregate.settings({});
      if (!settings.ok) return;
      const label = { printer: 'Desk', size: '54x25', copies: 1 };
      const prints = { ...settings.value.prints, label };
      await window.caregate.saveSettings({ ...settings.value, prints });
    });
    await page.keyboard.press('Enter');
    await printer.next();
    await page.keyboard.press('Control+b');
    // It is recorded, and its sheets wait for their turn: what is made meanwhile doesn't push it out.
    await eventsOf(2);
    await makeLabels(page);
    expect(await printer.sheets()).toEqual([1]);
    await printer.finish();
    await printer.next();
    expect(events).toBe(2);
    expect(await printer.sheets()).toEqual([1, 1]);
    await printer.finish();
    // The label's own line, once the panel is closed.
    await page.keyboard.press('Escape');
    await page.getByText('Sent to Desk: 1 page.').waitFor();
  });

  it('sends nothing once it is closed, not even where the record comes then', async () => {
    const { page } = desk.desktop;
    const answer = holdLog();
    await page.getByRole('button', { name: 'System dialog' }).click();
    await eventsOf(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    answer();
    await openPanel();
    await page.getByRole('button', { name: 'System dialog' }).click();
    await eventsOf(2);
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    expect(await printer.sheets()).toEqual([1]);
  });

  it('hands nothing to the spooler once it is closed, where its record comes then', async () => {
    const other = await launch({ env: { CUPS_SERVER: desk.spooler.socket } });
    const { page } = other;
    try {
      await signIn(other, desk.service);
      await openInsurance(page);
      await openPanel(page);
      const answer = holdLog();
      await page.keyboard.press('Enter');
      await eventsOf(1);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      answer();
      // The next is recorded and handed over after it would have been.
      await openPanel(page);
      await page.keyboard.press('Enter');
      await page.getByText('Sent to the printer.').waitFor();
      expect(events).toBe(2);
      expect(desk.spooler.documents()).toHaveLength(1);
      expect(other.faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it.each(['another window', 'its own'])(
    'prints and saves what it shows, however much %s makes meanwhile',
    async (which) => {
      const { page } = desk.desktop;
      const file = join(folder, `${which}.pdf`);
      await saveAs(desk.desktop, file);
      const maker = which === 'its own' ? page : await openSecond();
      await makeLabels(maker);
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
      await makeLabels(maker);
      await page.getByRole('button', { name: 'Print', exact: true }).click();
      await printer.next();
      await printer.finish();
      await page.getByText('Sent to the printer.').waitFor();
      expect(events).toBe(2);
      expect(await printer.sheets()).toEqual([1]);
      if (maker !== page) await maker.close();
    },
  );

  it('prints after another window was closed while its print was recorded, which is sent nowhere', async () => {
    const { page } = desk.desktop;
    const second = await openSecond();
    const answer = holdLog();
    const ending = second
      .evaluate(async () => {
        const made = await window.caregate.makeLabel({
          ...{ size: '54x25', language: 'en', direction: 'ltr', name: '', born: '' },
          ...{ clientUserId: 'MRN-1', recordIds: ['9f4c2a7be1d05836c7a41f0e5b8d2963'] },
        });
        if (made.ok) await window.caregate.sendPrint({ id: made.value.id, copies: 1, pages: true });
      })
      .catch(() => undefined);
    await eventsOf(1);
    await second.close();
    await ending;
    answer();
    await page.keyboard.press('Enter');
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    expect(await printer.sheets()).toEqual([1]);
  });
});
