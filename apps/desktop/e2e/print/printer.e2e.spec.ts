import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Label } from '../../src/shared/print.ts';
import { everything } from '../support/answers.testing.ts';
import { scan } from '../support/barcode.testing.ts';
import { launch, saveAs } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { recordingBy } from '../support/fake-service.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { long, serviceOf } from '../support/printed-people.testing.ts';
import { signedInDesk, signIn } from '../support/signed-in-desk.testing.ts';
import { openPerson } from '../support/steps.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const folder = temporaryFolder();
const desk = signedInDesk(() => serviceOf(long), { hasPrinter: true });

/** What the printer got as the nth job. */
async function job(number: number): Promise<string> {
  const file = join(folder, `job-${String(number)}.pdf`);
  writeFileSync(file, await desk.spooler.job(number));
  return file;
}

/** From Find to the panel of an insurance. */
async function openPanel({ page }: Desktop): Promise<void> {
  await page.keyboard.insertText(long.clientUserId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  await page.keyboard.press('Control+3');
  await page.getByText(long.insurance.member_id).waitFor();
  await page.keyboard.press('Control+p');
}

/** How much of a page is not white, from 0 to 1. */
function inkOf(file: string, page: number): number {
  const only = ['-f', String(page), '-l', String(page)];
  const picture = execFileSync('pdftoppm', ['-gray', '-r', '50', ...only, file], {
    maxBuffer: 2 ** 26,
  });
  // https://netpbm.sourceforge.net/doc/pgm.html: a header of three lines, then a byte for each pixel.
  const [header = ''] = /^P5\s+\d+\s+\d+\s+\d+\s/u.exec(picture.toString('latin1', 0, 64)) ?? [];
  const pixels = picture.subarray(header.length);
  return pixels.reduce((sum, pixel) => sum + 1 - pixel / 255, 0) / pixels.length;
}

/** Differences of printed sheets from the saved PDF, in their size and in how much is printed on them. */
function unlike(sheets: string, file: string): string[] {
  const [original, shown] = [pagesOf(file), pagesOf(sheets)];
  const found = shown.length === original.length ? [] : [`${String(shown.length)} pages`];
  for (const [index, { width, height }] of shown.entries()) {
    const paper = original[index];
    // Half a millimetre: printers' papers are whole points.
    const apart = Math.max(
      Math.abs(width - (paper?.width ?? 0)),
      Math.abs(height - (paper?.height ?? 0)),
    );
    const ink = inkOf(sheets, index + 1) / inkOf(file, index + 1);
    if (apart > 1.5 || Math.abs(ink - 1) > 0.1) {
      found.push([index + 1, width, height, ink].join(' '));
    }
  }
  return found;
}

async function saved(desktop: Desktop, paper: string): Promise<string> {
  const file = join(folder, 'saved.pdf');
  await saveAs(desktop, file);
  const panel = desktop.page.getByRole('dialog');
  await panel.getByRole('radio', { name: paper }).click();
  await panel.getByText('exactly as').waitFor();
  await panel.getByRole('button', { name: 'Save PDF' }).click();
  await panel.getByText('Saved.').waitFor();
  return file;
}

const labelOf = (clientUserId: string): Label => ({
  ...{ kind: 'label', size: '54x25', language: 'en', direction: 'ltr', name: '', born: '' },
  ...{ clientUserId, recordIds: [] },
});

describe('a printer', () => {
  it('gets the same pages as the preview and the PDF, the copies, and no patient’s name', async () => {
    const { page } = desk.desktop;
    await openPanel(desk.desktop);
    const file = await saved(desk.desktop, 'A4');
    const panel = page.getByRole('dialog');
    expect(await panel.getByLabel('Printer').inputValue()).toBe('Desk');
    await panel.getByLabel('Copies').fill('3');
    await panel.getByRole('button', { name: 'Print', exact: true }).click();
    await panel.getByText('Sent to the printer.').waitFor();
    expect(unlike(await job(0), file)).toEqual([]);
    const control = await desk.spooler.attributes(0);
    expect(control).toContain('print-scaling');
    expect(control).toMatch(/copies\0\x04\0\0\0\x03/u);
    expect(control).toContain('Caregate');
    expect(control).not.toContain('Maximiliane');
    expect(control).not.toContain(long.clientUserId);
  });

  it('gets one job if Enter is pressed twice; the next Enter closes the panel', async () => {
    const { page } = desk.desktop;
    await openPanel(desk.desktop);
    await page.getByText('exactly as').waitFor();
    await page.locator('[role=dialog] button:focus', { hasText: 'Print' }).waitFor();
    const before = desk.spooler.documents().length;
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await desk.spooler.job(before);
    expect(desk.spooler.documents()).toHaveLength(before + 1);
  });

  it('gets nothing if the desk is locked while the print is being recorded', async () => {
    const { page } = desk.desktop;
    const before = desk.spooler.documents().length;
    const result = await page.evaluate(async (document) => {
      const { caregate } = window;
      const params = { userId: 'u', isPrimary: true };
      const read = await caregate.read({ operation: 'latestInsurance', call: 'b', params });
      const recordIds = read.ok && read.value.auditId !== undefined ? [read.value.auditId] : [];
      const request = { document: { ...document, recordIds }, to: 'printer', copies: 1 } as const;
      const printing = caregate.print({ ...request, printer: 'Desk' });
      await caregate.lock({});
      return printing;
    }, labelOf('MRN-1'));
    expect(result).toEqual({ ok: false, problem: { kind: 'cancelled' } });
    expect(desk.spooler.documents()).toHaveLength(before);
  });

  it('gets the same pages if the system has no lp', async () => {
    const other = await launch({ env: { CUPS_SERVER: desk.spooler.socket, PATH: '/nowhere' } });
    try {
      await signIn(other, desk.service);
      await openPanel(other);
      const file = await saved(other, 'Letter');
      const before = desk.spooler.documents().length;
      const panel = other.page.getByRole('dialog');
      await panel.getByRole('button', { name: 'Print', exact: true }).click();
      await panel.getByText('Sent to the printer.').waitFor();
      expect(unlike(await job(before), file)).toEqual([]);
      expect(other.faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('that disappears while the panel is open gets nothing; the user selects another', async () => {
    const { page } = desk.desktop;
    const tray = desk.spooler.addTray();
    await openPanel(desk.desktop);
    const panel = page.getByRole('dialog');
    await panel.getByText('exactly as').waitFor();
    const chooser = panel.getByLabel('Printer');
    await chooser.selectOption('Tray');
    await panel.getByLabel('Copies').fill('2');
    tray.remove();
    const before = desk.spooler.documents().length;
    const send = panel.getByRole('button', { name: 'Print', exact: true });
    await send.click();
    await panel.getByText('The printer “Tray” is no longer available. Choose another.').waitFor();
    // No other gets a patient's pages unasked: not by a second Enter either.
    expect(await chooser.inputValue()).toBe('');
    expect(await chooser.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await send.isDisabled()).toBe(true);
    expect(desk.spooler.documents()).toHaveLength(before);
    await chooser.selectOption('Desk');
    await send.click();
    await panel.getByText('Sent to the printer.').waitFor();
    await desk.spooler.job(before);
    expect(await desk.spooler.attributes(before)).toMatch(/copies\0\x04\0\0\0\x02/u);
  });
});

/** Where a choice of the panel stands in each frame in which it is seen, until `end` is called. */
async function recordPlaces(page: Page, name: string): Promise<{ end: () => Promise<string[]> }> {
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
  /** Desk events that the service received, and how many jobs the printer had by then. */
  const events: { body: Record<string, unknown>; jobs: number }[] = [];
  let status = 201;

  beforeEach(async () => {
    desk.service.respondWith(
      recordingBy((body, answer) => {
        events.push({ body, jobs: desk.spooler.documents().length });
        answer(status);
      }, everything),
    );
    await openPerson(desk.page);
  });

  it('remembers printer, size and copies; each print is recorded first', async () => {
    const { page } = desk.desktop;
    const before = desk.spooler.documents().length;
    const places = await recordPlaces(page, '2⅛ × 1 in');
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
    const first = await job(before);
    expect(await scan(first)).toEqual({ format: 'Code128', text: 'MRN-1' });
    expect(pagesOf(first)[0]?.width).toBeCloseTo((54 / 25.4) * 72, 0);

    await page.keyboard.press('Control+b');
    await panel.locator('button:focus', { hasText: 'Print' }).waitFor();
    expect(await size.isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await panel.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect((await scan(await job(before + 1))).text).toBe('MRN-1');
    expect(events.map(({ body, jobs }) => ({ ...body, jobs }))).toEqual(
      [before, before + 1].map((jobs) => ({
        ...{ kind: 'print', document: 'label', pages: 1, copies: 3, jobs },
        number: expect.stringMatching(/^[\da-f]{32}$/u) as unknown,
        record_ids: ['9f4c2a7be1d05836c7a41f0e5b8d2963'],
      })),
    );
    expect(new Set(events.map(({ body }) => body['number'])).size).toBe(2);
    const control = await desk.spooler.attributes(before + 1);
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
