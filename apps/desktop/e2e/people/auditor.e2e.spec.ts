import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { auditor, leila, locked, rows } from '../support/people.testing.ts';
import { readHistory } from '../support/people-steps.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import { callsTo, standIn, tell } from '../support/stand-ins.testing.ts';
import type { Call } from '../support/stand-ins.testing.ts';
import { noService, startedDesk } from '../support/started-desk.testing.ts';

/** The auditor's desk: its requests, and that it shows no patients. */
let desktop: Desktop;
let page: Page;

startedDesk(noService, (there) => ({ desktop, page } = there));
beforeEach(async () => {
  await look(page, { theme: 'light', language: 'en' });
  await standIn(desktop, auditor);
  await page.reload();
  await readHistory(page);
  await page.locator('main ol').getByText('Lab connection').first().waitFor();
});

/** What was asked of a channel, without the call's own name. */
async function asked(channel: Call['channel'], atLeast = 0): Promise<readonly unknown[]> {
  const calls = await callsTo(desktop, [channel], atLeast);
  return calls.map(({ request }) =>
    Object.fromEntries(Object.entries(request as object).filter(([name]) => name !== 'call')),
  );
}

describe("the auditor's desk", () => {
  it('offers the log and no patients', async () => {
    const names = await page.getByRole('navigation').getByRole('button').allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(['Access log', 'Emergency access']);
    expect(await asked('listUsers')).toEqual([]);
    expect(await page.getByRole('region', { name: 'Patient', exact: true }).count()).toBe(0);
  });

  it('reads the history of an MRN that is typed, or scanned on any screen', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Emergency access' }).click();
    await page.getByRole('heading', { name: 'Emergency access' }).waitFor();
    const scanner = await connectScanner(page);
    await scanner.scan('MRN-000202', () => 12);
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main form input')?.value === 'MRN-000202',
    );
    await page.locator('main ol').getByText('Lab connection').first().waitFor();
    const patients = (await asked('listAuditEvents')).map(
      (one) => (one as { patient?: string }).patient,
    );
    expect(patients).toEqual(['MRN-000101', 'MRN-000202']);
    // The cable was loose for a moment: whoever was asked about before is gone.
    const gaps = [12, 12, 12, 12, 12, 12, 300, 12, 12, 12, 12];
    await scanner.scan('MRN-000303', () => gaps.shift()!);
    await page.getByRole('alert').getByText('The code was only partly read').waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main form input')?.value === '',
    );
    expect(await page.locator('main').textContent()).not.toContain('MRN-000202');
    await page.getByText('Whose access history?').waitFor();
  });

  it('shows what one person did', async () => {
    await page.getByLabel('Who', { exact: true }).selectOption(leila.name);
    const sentences = await page.locator('main ol > li p').allInnerTexts();
    expect(sentences.map((one) => one.trim())).toEqual([`${leila.name} opened a lab report`]);
  });

  it('filters views, prints, emergency and refused accesses, with their number', async () => {
    const shown = async (name: string): Promise<number> => {
      await page.getByRole('radio', { name }).click();
      return page.locator('main ol > li').count();
    };
    expect(await shown('Emergency 2')).toBe(2);
    expect(await shown('Refused 2')).toBe(2);
    const refused = await page.locator('main ol > li p').allInnerTexts();
    expect(refused.map((one) => one.replaceAll(/\s+/gu, ' '))).toEqual([
      'Priya Raman was refused the mindfulness minutes',
      'Tunde Oyelaran was refused a lab report',
    ]);
    expect(await shown('Printed 1')).toBe(1);
    expect(await shown('Views 4')).toBe(4);
    expect(await shown('All 10')).toBe(10);
  });

  it('exports the history of the patient as CSV', async () => {
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByText('10 records saved').waitFor();
    expect(await asked('exportAuditEvents', 1)).toMatchObject([{ patient: 'MRN-000101' }]);
  });

  it('shows the reason of an emergency access at its newest record and in its review, with one scrollbar', async () => {
    const reason = page.getByText('“Nurse line asked when she was last awake');
    expect(await reason.count()).toBe(2);
    await page
      .locator('li', { has: reason })
      .getByText('opened the mindfulness minutes by emergency access')
      .waitFor();
    const scrolled = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
        .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY))
        .map(({ tagName }) => tagName),
    );
    expect(scrolled).toEqual([]);
  });

  it('reviews the oldest first; an access that is not justified needs a note', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Emergency access' }).click();
    await page.getByRole('button', { name: 'Justified', exact: true }).first().click();
    await page.getByRole('button', { name: 'Not justified…' }).last().click();
    await page.getByLabel('Why not').press('Enter');
    await page.getByText('First write why not.').waitFor();
    await page.getByLabel('Why not').fill('No ambulance came that day');
    await page.getByLabel('Why not').press('Enter');
    await page.waitForFunction(() => document.querySelector('[aria-invalid=true]') === null);
    expect(await asked('reviewBreakGlass', 2)).toEqual([
      { breakGlassId: 'glass-2', outcome: 'justified' },
      {
        breakGlassId: 'glass-1',
        outcome: 'not_justified',
        note: 'No ambulance came that day',
      },
    ]);
  });

  it('leaves no patient’s ID in the page after a lock', async () => {
    await tell(desktop, locked);
    await page.getByText('PIN of').waitFor();
    const shown = await page.evaluate(() => document.documentElement.outerHTML + document.title);
    const canaries = ['11111111-1111', rows[0]!.recordId, 'weighParcel', 'Lab connection'];
    expect(canaries.filter((datum) => shown.includes(datum))).toEqual([]);
  });
});
