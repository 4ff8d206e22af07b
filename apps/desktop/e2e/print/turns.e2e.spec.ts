import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { everything } from '../support/answers.testing.ts';
import { eventually, saveAs } from '../support/desktop.testing.ts';
import { recordingBy } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';
import { openPerson } from '../support/states.testing.ts';

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
  await holdPrints();
  const { page } = desk.desktop;
  await openPerson(page);
  await page.keyboard.press('Control+3');
  await page.getByText('MEMBER-77').waitFor();
  await openPanel();
});

interface Print {
  readonly sheets: number;
  readonly done: () => void;
}
type Held = typeof globalThis & { prints?: Print[] };

/** Puts a printer behind the window that is done with its prints when the test says so. */
async function holdPrints(): Promise<void> {
  seen = 0;
  await desk.desktop.app.evaluate(({ BrowserWindow }) => {
    const held = globalThis as Held;
    held.prints = [];
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    webContents.print = (_options, callback) => {
      // How many documents are laid out in the page.
      const counted = webContents.executeJavaScript(
        `[...document.body.children].filter((one) => one.querySelector(':scope > img')).length`,
      ) as Promise<number>;
      const done = (): void => callback?.(true, '');
      void counted.then((sheets) => held.prints?.push({ sheets, done }));
    };
  });
}

let seen = 0;
const printer = {
  sheets: async (): Promise<number[]> => {
    for (;;) {
      try {
        return await desk.desktop.app.evaluate(() =>
          (globalThis as Held).prints!.map(({ sheets }) => sheets),
        );
      } catch (error) {
        // The debugger of main now and then loses the end of a call.
        if (!/promise was garbage collected/iu.test(String(error))) throw error;
      }
    }
  },
  /** Until it has got one more print than before. */
  next: async (): Promise<void> => {
    await eventually('the print', async () =>
      (await printer.sheets()).length > seen ? true : undefined,
    );
    seen += 1;
  },
  finish: (): Promise<void> =>
    desk.desktop.app.evaluate(() => {
      for (const { done } of (globalThis as Held).prints!) done();
    }),
};

async function openPanel(): Promise<void> {
  const { page } = desk.desktop;
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
    await page.getByRole('button', { name: 'Print', exact: true }).press('Enter');
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    expect(events).toBe(2);
    expect(await printer.sheets()).toEqual([1, 1]);
  });

  it('is closed by an Enter after it printed or saved, which does neither once more', async () => {
    const { page } = desk.desktop;
    await page.keyboard.press('Enter');
    await printer.next();
    await printer.finish();
    await page.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openPanel();
    await saveAs(desk.desktop, join(folder, 'insurance.pdf'));
    await page.getByRole('button', { name: 'Save as PDF' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(events).toBe(2);
    expect(await printer.sheets()).toEqual([1]);
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
});
