import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { AuditRow } from '../../src/shared/audit.ts';
import { scan } from '../support/barcode.testing.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { eventually, launch, saveAs } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { catchBrowser, clickOn, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';
import { TASKS } from './tasks.testing.ts';
import type { Subject, Task } from './tasks.testing.ts';

/** One working day by keys or by pointer alone, in one running desk beside a real service and provider. */
describe.each(['keys', 'pointer'] as const)('a day by %s alone', (by) => {
  const folder = temporaryFolder();
  let clinic: Clinic;
  let spooler: Spooler;
  let desktop: Desktop;
  let page: Page;
  let jobs = 0;

  beforeAll(async () => {
    clinic = await startClinic({ CAREGATE_NARROW: 'clinician.mindfulnessMinutes=no' });
    spooler = await startSpooler();
    desktop = await launch({
      readyFile: clinic.service.readyFile,
      // The steps name dates as they are in UTC.
      env: { CUPS_SERVER: spooler.socket, TZ: 'UTC' },
      stubs: true,
    });
    page = desktop.page;
    await catchBrowser(desktop.app);
  });
  afterAll(async () => {
    await desktop.close();
    await spooler.stop();
    await clinic.stop();
  });

  const getStaffName = (subject: string): string =>
    clinic.provider.people.find((person) => person.subject === subject)?.name ?? subject;

  /** Key by key, a faster text would be a scan. */
  const type = (text: string): Promise<void> =>
    by === 'keys' ? page.keyboard.type(text, { delay: 90 }) : page.keyboard.insertText(text);

  async function moveTo(key: 'Tab' | 'ArrowRight' | 'ArrowDown', name: string): Promise<void> {
    for (let count = 0; count < 150; count += 1) {
      const focused = await page.evaluate(() => {
        const { activeElement: at } = document;
        const labels = (at as Partial<HTMLInputElement> | null)?.labels;
        const label = at?.getAttribute('aria-label') ?? labels?.[0]?.textContent;
        const copy = at?.cloneNode(true) as Element | undefined;
        for (const hidden of copy?.querySelectorAll('[aria-hidden=true]') ?? []) hidden.remove();
        return label ?? copy?.textContent ?? '';
      });
      if (focused.startsWith(name)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} doesn't lead to ${name}.`);
  }

  function named(step: string): Locator {
    const { landmark, role, name } =
      /^(?:in (?<landmark>[^>]+) > )?(?<role>\w+) (?<name>.+)$/u.exec(step)?.groups ?? {};
    if (role === undefined || name === undefined) throw new Error(`${step}?`);
    const area =
      landmark === undefined
        ? page.locator('body')
        : (['main', 'dialog', 'navigation'] as const).reduce(
            (found, one) => (landmark === one ? page.getByRole(one).first() : found),
            page.getByLabel(landmark, { exact: true }).first(),
          );
    const exact = name.startsWith('=');
    const called = getStaffName(exact ? name.slice(1) : name);
    return role === 'label'
      ? area.getByLabel(called).first()
      : area.getByRole(role as 'button', { name: called, exact }).first();
  }

  async function take(step: string): Promise<void> {
    const [word = '', ...rest] = step.split(' ');
    const text = rest.join(' ');
    if (step.startsWith('"')) await type(step.slice(1, -1));
    else if (word === 'see') await page.getByText(text).filter({ visible: true }).first().waitFor();
    else if (word === 'provider') await clickOn(clinic, desktop.app, text);
    else if (word === 'key') await page.keyboard.press(text);
    else if (by === 'pointer') await named(step).click();
    else if (word === 'tab') await moveTo('Tab', getStaffName(text));
    else if (word === 'right') await moveTo('ArrowRight', text);
    else if (word === 'down') await moveTo('ArrowDown', text);
    else await page.keyboard.press(step);
  }

  const readWords = (file: string): string[] =>
    pagesOf(file).flatMap(({ words }) => words.map(({ text }) => text));

  async function nextJob(): Promise<string> {
    const file = join(folder, `${by}-${String(jobs)}.pdf`);
    writeFileSync(file, await spooler.job(jobs));
    jobs += 1;
    return file;
  }

  async function expectWanted(wanted: Task['wanted'], file: string): Promise<void> {
    if ('atDesk' in wanted) {
      const { atDesk } = wanted as { atDesk: Subject };
      await page.locator('button[aria-haspopup=menu]').getByText(getStaffName(atDesk)).waitFor();
    } else if ('shown' in wanted) {
      for (const text of wanted.shown) {
        await page.getByText(text).filter({ visible: true }).first().waitFor();
      }
      for (const text of wanted.gone ?? []) {
        await page.getByText(text).first().waitFor({ state: 'detached' });
      }
    } else if ('open' in wanted) {
      const header = page.getByRole('region', { name: 'Patient', exact: true });
      await header.getByText(wanted.open).waitFor();
    } else if ('clipboard' in wanted) {
      await eventually('it was copied', async () => {
        const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
        return copied.includes(wanted.clipboard) ? true : undefined;
      });
    } else if ('printed' in wanted) {
      expect(readWords(await nextJob())).toEqual(expect.arrayContaining([...wanted.printed]));
    } else if ('scanned' in wanted) {
      expect(await scan(await nextJob())).toMatchObject({ text: wanted.scanned });
    } else {
      await eventually('it was saved', () => Promise.resolve(existsSync(file) || undefined));
      expect(readWords(file)).toContain(wanted.saved);
    }
  }

  it.each(TASKS)('$name', async (task) => {
    const file = join(folder, `${by}-${String(TASKS.indexOf(task))}.pdf`);
    await saveAs(desktop, file);
    for (const step of task[by]) await take(step);
    await expectWanted(task.wanted, file);
    expect(desktop.faults).toEqual([]);
  });

  it('has a record of each act, which names its person and desk', async () => {
    const records = await everyRecord();
    const own = records.filter(({ actor }) => actor.type === 'staff');
    const names = own.map(({ actor, desk }) => `${actor.name ?? ''} at ${desk ?? ''}`);
    const subjects = ['front-desk', 'clinician', 'auditor'];
    expect(new Set(names)).toEqual(
      new Set(subjects.map((each) => `${getStaffName(each)} at Demo`)),
    );
    // All else was done by commands and at the enrolment, before anybody was at the desk.
    const others = records.slice(own.length);
    expect(new Set(others.map(({ actor }) => actor.type))).toEqual(
      new Set(['anonymous', 'system']),
    );
    expect(others.flatMap(({ patients }) => patients)).toEqual([]);
    expect(own.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining([
        ...['sessionBegun', 'pinSet', 'sessionLocked', 'sessionUnlocked', 'resolveUser'],
        ...['mindfulnessMinutes', 'askBreakGlass', 'endBreakGlass', 'reviewBreakGlass'],
      ]),
    );
    const underGrant = own.filter(({ emergency }) => emergency);
    expect(new Set(underGrant.map(({ actor }) => actor.name))).toEqual(
      new Set([getStaffName('clinician')]),
    );
  });

  /** Every record that the auditor can see, the newest first. */
  async function everyRecord(): Promise<readonly AuditRow[]> {
    const rows: AuditRow[] = [];
    for (let cursor: string | undefined; ;) {
      const answer = await page.evaluate(
        (next) =>
          window.caregate.read({
            ...{ operation: 'listAuditEvents', call: 'all' },
            params: { ...(next && { cursor: next }) },
          }),
        cursor,
      );
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
      rows.push(...answer.value.value.rows);
      cursor = answer.value.value.nextCursor;
      if (cursor === undefined) return rows;
    }
  }
});
