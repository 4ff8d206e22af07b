import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { scan } from '../support/barcode.testing.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** What the audit log has of a patient after a task at the desk: no more was read than was shown. */
let clinic: Clinic;
let spooler: Spooler;
let desktop: Desktop;
let page: Page;

beforeAll(async () => {
  clinic = await startClinic();
  spooler = await startSpooler();
  desktop = await launch({
    readyFile: clinic.readyFile,
    env: { CUPS_SERVER: spooler.socket },
  });
  ({ page } = desktop);
});
afterAll(async () => {
  await desktop.close();
  await spooler.stop();
  await clinic.stop();
});
const folder = temporaryFolder();

async function signIn(subject: string): Promise<void> {
  await page.evaluate(() => window.caregate.signOut({}));
  await signInToDemo(page, subject);
  if (subject !== 'auditor') await untilFind(page);
}

async function find(text: string, clientUserId: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('main input').fill(text);
  await page.getByRole('option', { selected: true }).getByText(clientUserId).waitFor();
}

/** The operations of a patient's records, the oldest first, without searches. */
async function recordsOf(patient: string): Promise<string[]> {
  await signIn('auditor');
  const answer = await page.evaluate(
    (id) =>
      window.caregate.read({ operation: 'listAuditEvents', call: 'all', params: { patient: id } }),
    patient,
  );
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value.value.rows
    .map(({ operation }) => operation)
    .filter((operation) => operation !== 'searchPeople')
    .toReversed();
}

it('reads a found patient once for a label: with the print, two records', async () => {
  await signIn('front-desk');
  await find('teodoro vasquez', 'MRN-000118');
  await page.keyboard.press('Control+b');
  const panel = page.getByRole('dialog', { name: 'Print' });
  await panel.getByText('exactly as').waitFor();
  await panel.getByRole('button', { name: 'Print', exact: true }).press('Enter');
  await panel.getByText('Sent to the printer.').waitFor();
  const file = join(folder, 'label.pdf');
  writeFileSync(file, await spooler.job(0));
  expect((await scan(file)).text).toBe('MRN-000118');
  const words = pagesOf(file).flatMap((one) => one.words.map(({ text }) => text));
  expect(words.join(' ')).toMatch(/Teodoro Vásquez Ibarra.*11\/30\/1968/u);
  expect(await recordsOf('MRN-000118')).toEqual(['resolveUser', 'recordDeskEvent']);
});

it('reads for the front desk what Overview shows, and for Labs what the identity check needs, once', async () => {
  await signIn('front-desk');
  await find('olufemi brandt', 'MRN-000156');
  await page.keyboard.press('Enter');
  await page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
  const overview = ['resolveUser', 'userInfo', 'listOrders', 'latestInsurance'];
  const first = await recordsOf('MRN-000156');
  expect(first.toSorted()).toEqual(overview.toSorted());

  await signIn('front-desk');
  await find('kabir tamang', 'MRN-000175');
  await page.keyboard.press('Control+2');
  await page.getByText('Abnormal first').first().waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowUp');
  const labs = await recordsOf('MRN-000175');
  const once = ['resolveUser', 'userInfo', 'latestInsurance', 'listOrders'];
  expect(labs.filter((name) => once.includes(name)).toSorted()).toEqual(once.toSorted());
});
