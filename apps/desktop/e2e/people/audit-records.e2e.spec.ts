import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AuditRow } from '../../src/shared/audit.ts';
import { PRINT_NUMBER } from '../../src/shared/print-kinds.ts';
import type { PrintDocument } from '../../src/shared/print.ts';
import { scan } from '../support/barcode.testing.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { launch, saveAs, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** What the audit log has after a task at the desk: no more was read than was shown, and each print, save and copy. */
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

/** What the auditor finds of a patient, or by the number of a print; the newest first. */
async function listRecords(patient: string): Promise<readonly AuditRow[]> {
  const answer = await page.evaluate(
    (id) =>
      window.caregate.read({ operation: 'listAuditEvents', call: 'all', params: { patient: id } }),
    patient,
  );
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value.value.rows;
}

/** The operations of a patient's records, the oldest first, without searches. */
async function listOperations(patient: string): Promise<string[]> {
  await signIn('auditor');
  return (await listRecords(patient))
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
  expect(await listOperations('MRN-000118')).toEqual(['resolveUser', 'recordDeskEvent']);
});

it('reads for the front desk what Overview shows, and for Labs what the identity check needs, once', async () => {
  await signIn('front-desk');
  await find('olufemi brandt', 'MRN-000156');
  await page.keyboard.press('Enter');
  await page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
  const overview = ['resolveUser', 'userInfo', 'listOrders', 'latestInsurance'];
  const first = await listOperations('MRN-000156');
  expect(first.toSorted()).toEqual(overview.toSorted());

  await signIn('front-desk');
  await find('kabir tamang', 'MRN-000175');
  await page.keyboard.press('Control+2');
  await page.getByText('Abnormal first').first().waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowUp');
  const labs = await listOperations('MRN-000175');
  const once = ['resolveUser', 'userInfo', 'latestInsurance', 'listOrders'];
  expect(labs.filter((name) => once.includes(name)).toSorted()).toEqual(once.toSorted());
});

const paper: PrintDocument = {
  paper: 'a4',
  language: 'en',
  direction: 'ltr',
  kind: 'insurance',
  clinic: 'Harborside Clinic',
  title: 'Insurance summary',
  heading: 'Insurance',
  notice: 'Not a card',
  main: [],
  sections: [],
  patient: { name: 'Amara', facts: [] },
  page: [],
  footer: [`Audit record ${PRINT_NUMBER}`],
};

it('prints, saves and copies what it has a record for, and nothing without; the auditor finds each', async () => {
  await signIn('front-desk');
  const saved = join(folder, 'saved.pdf');
  await saveAs(desktop, saved);
  const { user_id: userId } = clinic.service.sample;
  const ids = await page.evaluate(async (id) => {
    const params = { userId: id, isPrimary: true };
    const read = await window.caregate.read({ operation: 'latestInsurance', call: 'i', params });
    return read.ok ? [read.value.auditId ?? ''] : [];
  }, userId);
  expect(ids).toEqual([expect.stringMatching(/./u)]);
  const leave = (to: 'printer' | 'file', recordIds: string[]): Promise<unknown> =>
    page.evaluate(
      ([document, how, named]) =>
        window.caregate.print({
          ...{ document: { ...document, recordIds: named }, to: how, printer: 'Desk', copies: 2 },
        }),
      [paper, to, recordIds] as const,
    );
  const refused = { ok: false, problem: { kind: 'refused' } };
  for (const wrong of [[], [...ids, 'of-somebody-else']]) {
    expect(await leave('printer', wrong)).toEqual(refused);
    expect(await leave('file', wrong)).toEqual(refused);
  }
  expect(existsSync(saved)).toBe(false);
  const sent = { ok: true, value: { result: 'done' } };
  expect(await leave('printer', ids)).toEqual(sent);
  expect(await leave('printer', ids)).toEqual(sent);
  expect(await leave('file', ids)).toEqual(sent);
  expect(readFileSync(saved).subarray(0, 5).toString()).toBe('%PDF-');
  const copied = await page.evaluate(
    (recordIds) =>
      window.caregate.copyText({ text: 'a value', from: { document: 'insurance', recordIds } }),
    ids,
  );
  expect(copied).toEqual({ ok: true, value: {} });

  await signIn('auditor');
  const rows = await listRecords(userId);
  const acts = rows.filter(({ operation }) => operation === 'recordDeskEvent');
  const name = clinic.provider.people.find(({ subject }) => subject === 'front-desk')?.name;
  expect(acts.map(({ actor }) => actor.name)).toEqual(Array(4).fill(name));
  const details = acts.map((act) =>
    Object.fromEntries(act.details.map((detail) => [detail.name, detail.value])),
  );
  const records = ids.join(' ').toLowerCase();
  const number = expect.stringMatching(/^[\da-f]{32}$/u);
  const print = { kind: 'print', document: 'insurance', pages: '1', copies: '2', records, number };
  expect(details).toEqual([
    { kind: 'copy', document: 'insurance', records },
    { kind: 'save', document: 'insurance', pages: '1', records, number },
    print,
    print,
  ]);
  // By the number on a paper the auditor finds that print, and no other of the same answer.
  const onPaper = /Audit record ([\da-f]{32})/u.exec(
    execFileSync('pdftotext', ['-layout', saved, '-'], { encoding: 'utf8' }),
  )?.[1];
  expect(onPaper).toBe(details[1]?.['number']);
  const numbers = details.flatMap((one) => one['number'] ?? []);
  expect(new Set(numbers).size).toBe(3);
  for (const [at, each] of numbers.entries()) {
    expect(await listRecords(each)).toEqual([acts[at + 1]]);
  }
});
