import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AuditPage } from '../../src/shared/audit.ts';
import { PRINT_NUMBER } from '../../src/shared/print-kinds.ts';
import type { PrintDocument } from '../../src/shared/print.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { saveAs } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { clickOn, launchEnrolled, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** What leaves the program is recorded first: a real service, a real Electron, and the auditor who finds it. */
let clinic: Clinic;
let spooler: Spooler;
let desktop: Desktop;
const folder = temporaryFolder();

beforeAll(async () => {
  clinic = await startClinic();
  spooler = await startSpooler();
  desktop = await launchEnrolled(clinic, { env: { CUPS_SERVER: spooler.socket } });
});
afterAll(async () => {
  await desktop.close();
  await spooler.stop();
  await clinic.stop();
});

async function comeIn(subject: string): Promise<void> {
  const signingIn = desktop.page.evaluate(() => window.caregate.beginSignIn({}));
  await clickOn(clinic, desktop.app, subject);
  expect(await signingIn).toMatchObject({ ok: true });
}

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
  const { page } = desktop;
  await comeIn('front-desk');
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

  await page.evaluate(() => window.caregate.lock({}));
  await comeIn('auditor');
  const found = await page.evaluate(
    (patient) =>
      window.caregate.read({ operation: 'listAuditEvents', call: 'a', params: { patient } }),
    userId,
  );
  expect(found).toMatchObject({ ok: true });
  const { rows } = (found as { value: { value: AuditPage } }).value.value;
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
    const one = await page.evaluate(
      (patient) =>
        window.caregate.read({ operation: 'listAuditEvents', call: 'n', params: { patient } }),
      each,
    );
    expect(one.ok && one.value.value.rows).toEqual([acts[at + 1]]);
  }
});
