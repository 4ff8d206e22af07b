import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { scan } from '../support/barcode.testing.ts';
import { recordingBy } from '../support/fake-service.testing.ts';
import { everything } from '../support/answers.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { openPerson } from '../support/steps.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const folder = temporaryFolder();
/** Desk events that the service received, and how many jobs the printer had by then. */
const events: { body: Record<string, unknown>; jobs: number }[] = [];
let status = 201;

const desk = signedInDesk(
  () =>
    recordingBy((body, answer) => {
      events.push({ body, jobs: desk.spooler.documents().length });
      answer(status);
    }, everything),
  { hasPrinter: true },
);

beforeEach(async () => {
  await openPerson(desk.desktop.page);
});

/** What the printer got as the nth job. */
async function job(number: number): Promise<string> {
  const file = join(folder, `job-${String(number)}.pdf`);
  writeFileSync(file, await desk.spooler.job(number));
  return file;
}

/** Where a choice of the panel stands in each frame in which it is seen, until `end` is called. */
async function placesOf(page: Page, name: string): Promise<{ end: () => Promise<string[]> }> {
  await page.evaluate((label) => {
    const places = new Set<string>();
    Object.assign(globalThis, { places });
    const look = (): void => {
      for (const one of document.querySelectorAll('[role=dialog] [role=radio]')) {
        const { x, y } = one.getBoundingClientRect();
        if (one.textContent === label) places.add(`${String(x)}, ${String(y)}`);
      }
      requestAnimationFrame(look);
    };
    look();
  }, name);
  return {
    end: () => page.evaluate(() => [...(globalThis as unknown as { places: Set<string> }).places]),
  };
}

describe('a label', () => {
  it('is set up once and then printed by one key; each print is recorded first', async () => {
    const { page } = desk.desktop;
    const places = await placesOf(page, '57 × 32 mm');
    await page.keyboard.press('Control+b');
    const panel = page.getByRole('dialog', { name: 'Print a label' });
    const size = panel.getByRole('radio', { name: '57 × 32 mm' });
    await size.click();
    await panel.getByLabel('Copies').fill('3');
    await panel.getByText('Ready.').waitFor();
    await panel.getByRole('img').waitFor();
    // What moves under the pointer loses its click.
    expect(await places.end()).toHaveLength(1);
    expect(await size.isChecked()).toBe(true);
    await panel.getByRole('button', { name: 'Print', exact: true }).press('Enter');
    await panel.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const first = await job(0);
    expect(await scan(first)).toEqual({ format: 'Code128', text: 'MRN-1' });
    expect(pagesOf(first)[0]?.width).toBeCloseTo((57 / 25.4) * 72, 0);

    await page.keyboard.press('Control+b');
    await page.getByText('Sent to Desk: 3 pages.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await scan(await job(1))).text).toBe('MRN-1');
    expect(events.map(({ body, jobs }) => ({ ...body, jobs }))).toEqual(
      [0, 1].map((jobs) => ({
        ...{ kind: 'print', document: 'label', pages: 1, copies: 3, jobs },
        number: expect.stringMatching(/^[\da-f]{32}$/u) as unknown,
        record_ids: ['9f4c2a7be1d05836c7a41f0e5b8d2963'],
      })),
    );
    expect(new Set(events.map(({ body }) => body['number'])).size).toBe(2);
    const control = await desk.spooler.attributes(1);
    expect(control).toContain('Custom.57x32mm');
    expect(control).not.toContain('MRN-1');
  });

  it('is not printed if it can’t be recorded, with a message', async () => {
    const { page } = desk.desktop;
    const before = desk.spooler.documents().length;
    status = 503;
    await page.keyboard.press('Control+b');
    await page.getByRole('alert').first().waitFor();
    expect(desk.spooler.documents()).toHaveLength(before);
    status = 201;
  });

  it('asks for another printer if the last one is gone', async () => {
    const { page } = desk.desktop;
    const lpadmin = (...args: string[]): void => {
      execFileSync('/usr/sbin/lpadmin', args, {
        env: { ...process.env, CUPS_SERVER: desk.spooler.socket },
        stdio: 'ignore',
      });
    };
    lpadmin('-p', 'Other', '-v', 'file:///dev/null', '-E');
    lpadmin('-x', 'Desk');
    await page.keyboard.press('Control+b');
    const panel = page.getByRole('dialog', { name: 'Print a label' });
    await panel.getByText('The printer “Desk” is no longer available.').waitFor();
    const chooser = panel.getByLabel('Printer');
    expect(await chooser.inputValue()).toBe('');
    await chooser.selectOption('Other');
    expect(await panel.getByRole('button', { name: 'Print', exact: true }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
  });
});

describe('the print of an insurance', () => {
  it('is set up once and then printed by one key, which shows the printer', async () => {
    const { page } = desk.desktop;
    await page.keyboard.press('Control+3');
    await page.getByText('MEMBER-77').waitFor();
    await page.keyboard.press('Control+Shift+P');
    const panel = page.getByRole('dialog', { name: 'Print' });
    await panel.getByText('Choose the printer once.').waitFor();
    await panel.getByRole('radio', { name: 'A4' }).click();
    await panel.getByText('Ready.').waitFor();
    await panel.getByRole('button', { name: 'Print', exact: true }).press('Enter');
    await panel.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const before = desk.spooler.documents().length;
    await page.keyboard.press('Control+Shift+P');
    await page.getByText('Sent to Other: 1 page.').waitFor();
    const [sheet] = pagesOf(await job(before));
    expect(sheet?.width).toBeCloseTo(595, 0);
    expect(sheet?.words.map(({ text }) => text)).toContain('MEMBER-77');
  });
});
