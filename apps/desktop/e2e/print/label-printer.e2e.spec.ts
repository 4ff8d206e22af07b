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
  it('remembers printer, size and copies; each print is recorded first', async () => {
    const { page } = desk.desktop;
    const places = await placesOf(page, '2⅛ × 1 in');
    await page.keyboard.press('Control+b');
    const panel = page.getByRole('dialog', { name: 'Print' });
    const size = panel.getByRole('radio', { name: '2⅛ × 1 in' });
    await size.click();
    await panel.getByLabel('Copies').fill('3');
    await panel.getByText('exactly as').waitFor();
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
    expect(pagesOf(first)[0]?.width).toBeCloseTo((54 / 25.4) * 72, 0);

    await page.keyboard.press('Control+b');
    await panel.locator('button:focus', { hasText: 'Print' }).waitFor();
    expect(await size.isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await panel.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
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
    expect(control).toContain('Custom.54x25mm');
    expect(control).not.toContain('MRN-1');
  });

  it('is not printed if it can’t be recorded, with a message', async () => {
    const { page } = desk.desktop;
    const before = desk.spooler.documents().length;
    status = 503;
    await page.keyboard.press('Control+b');
    const panel = page.getByRole('dialog', { name: 'Print' });
    await panel.locator('button:focus', { hasText: 'Print' }).press('Enter');
    await panel.getByRole('alert').first().waitFor();
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
    const panel = page.getByRole('dialog', { name: 'Print' });
    const chooser = panel.getByLabel('Printer');
    await chooser.locator('option', { hasText: 'Choose a printer' }).waitFor({ state: 'attached' });
    expect(await chooser.inputValue()).toBe('');
    await chooser.selectOption('Other');
    expect(await panel.getByRole('button', { name: 'Print', exact: true }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
  });
});
