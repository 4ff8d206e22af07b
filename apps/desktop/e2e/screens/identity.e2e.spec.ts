import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually, readClipboards, untilFind, saveAs } from '../support/desktop.testing.ts';
import { emptyTeam, json, userOf, primaryOnly } from '../support/fake-service.testing.ts';
import { signedInDesk, lockAnew, unlock } from '../support/signed-in-desk.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** A report of another birth date than the person's: nothing of it leaves the screen before somebody says why it may. */
let page: Page;
const folder = temporaryFolder();

const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
const otherOrderId = '4f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a11';
const reason = 'Asked for name and address';

const born = (value: string | null) => ({
  fallback_birth_date:
    value === null ? null : { value, source_slug: 'manual', updated_at: '2026-01-01T00:00:00Z' },
});
/** By client id; each id is found in no other text. */
const people: Readonly<Record<string, object>> = {
  CANARYCLIENT1: { ...userOf('CANARYCLIENT1'), ...born('1985-03-07') },
  CANARYCLIENT2: {
    ...userOf('CANARYCLIENT2'),
    user_id: '99999999-1111-4111-8111-111111111111',
    ...born('1985-03-07'),
  },
  CANARYSELF4: {
    ...userOf('CANARYSELF4'),
    user_id: '88888888-1111-4111-8111-111111111111',
    ...born('1954-01-19'),
  },
  CANARYNODATE5: {
    ...userOf('CANARYNODATE5'),
    user_id: '77777777-1111-4111-8111-111111111111',
    ...born(null),
  },
};
/** Its only birth date is that of the contact details. */
const byContact = {
  ...userOf('CANARYINFO6'),
  user_id: '66666666-1111-4111-8111-111111111111',
  ...born(null),
};
const contact = {
  ...{ first_name: 'TÉODOR', last_name: 'BRANNIGAN', dob: '1970-04-04', gender: 'male' },
  ...{ email: 't@example.org', phone_number: '+12125550188' },
  address: { first_line: '3 Larkspur', zip: '10012', city: 'New York', country: 'US' },
};
const report = {
  metadata: { patient: 'Teodor Brannigan', dob: '19/01/1954', age: 72, status: 'final' },
  results: [{ name: 'Sodium', slug: 'na', result: 'CANARYRESULT', loinc: '2951-2' }],
};
const insurance = {
  payor_code: 'PAYOR-1',
  member_id: 'MEMBER-77',
  relationship: 'Self',
  insured: { first_name: 'Ada', last_name: 'Hopper', dob: '1985-03-07' },
};

const desk = signedInDesk(() => (request, response) => {
  const url = request.url ?? '';
  const person = /resolve\/(\w+)/u.exec(url)?.[1];
  if (person === 'CANARYINFO6') json(response, 200, byContact);
  else if (person !== undefined) json(response, 200, people[person]);
  else if (url.includes('66666666-1111-4111-8111-111111111111/info/')) json(response, 200, contact);
  else if (url.includes('/insurance/') && !/77777777|66666666/u.test(url)) {
    // Overview reads it; the one without a birth date has none.
    primaryOnly(request, response, insurance);
  } else if (url.includes(orderId) || url.includes(otherOrderId)) json(response, 200, report);
  else emptyTeam(request, response);
});

beforeEach(async () => {
  ({ page } = desk.desktop);
  await fillClipboard();
});

async function openPerson(id: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel('Name, DOB, phone, or MRN').fill(id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
}

async function openOrder(id = orderId): Promise<void> {
  await page.keyboard.press('Control+2');
  await page.getByLabel('Order number', { exact: true }).fill(id);
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
}

const banner = (): Locator => page.getByRole('alert', { name: 'Check who this report is about' });
const refused = (what: string): Promise<void> =>
  banner().getByText(`Not ${what}. First say why it is the right patient.`).waitFor();
const confirmed = (): Locator => page.getByText(`Identity confirmed by hand: ${reason}`);

async function confirm(): Promise<void> {
  await banner().getByLabel('Why it is the right patient').fill(reason);
  await page.keyboard.press('Enter');
  await confirmed().waitFor();
}

const before = 'what was copied before';

/** The clipboard and, on Linux, the one of what is selected. */
async function fillClipboard(): Promise<void> {
  await desk.desktop.app.evaluate(async ({ clipboard }, text) => {
    const { selection } = clipboard as { selection?: typeof clipboard };
    const older = clipboard as unknown as { writeText: (text: string, which: string) => void };
    await clipboard.writeText(text);
    if (selection === undefined) older.writeText(text, 'selection');
    else await selection.writeText(text);
  }, before);
}

const clipboards = (): Promise<[string, string]> => readClipboards(desk.desktop.app);

/** The order's id may be selected, in the field that it was typed in; nothing of the report is. */
async function expectNothingCopied(): Promise<void> {
  const [copied, selected] = await clipboards();
  expect(copied).toBe(before);
  expect(selected).not.toMatch(/CANARY|Brannigan|1954|2951|Sodium|identity/u);
}

/** Prints by Ctrl+P and reads what was saved. */
async function printed(name: string, masked = false): Promise<string> {
  const filePath = join(folder, `identity-${name}.pdf`);
  await saveAs(desk.desktop, filePath);
  if (masked) await page.keyboard.press('F8');
  await page.keyboard.press('Control+p');
  const panel = page.getByRole('dialog');
  await panel.getByText('exactly as').waitFor();
  await panel.getByRole('button', { name: 'Save PDF' }).click();
  await panel.getByText('Saved.').waitFor();
  await page.keyboard.press('Escape');
  if (masked) await page.keyboard.press('F8');
  return execFileSync('pdftotext', ['-layout', filePath, '-'], { encoding: 'utf8' }).replaceAll(
    /\s+/gu,
    ' ',
  );
}

describe('a report with another birth date than the open patient', () => {
  beforeEach(async () => {
    await openPerson('CANARYCLIENT1');
    await openOrder();
    await banner().waitFor();
  });

  it('is not printed, and says why', async () => {
    await page.keyboard.press('Control+p');
    await refused('printed');
    // Whoever was refused can write the reason at once.
    expect(await page.locator(':focus').getAttribute('maxlength')).toBe('300');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('Control+2');
    await openOrder(otherOrderId);
    await page.getByRole('button', { name: 'Print Ctrl P' }).press('Enter');
    await refused('printed');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('is not copied by key or mouse, and says why', async () => {
    await page.getByText('CANARYRESULT').click({ clickCount: 3 });
    await page.keyboard.press('Control+c');
    await refused('copied');
    await expectNothingCopied();

    await openOrder();
    await page.locator('main').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Insert');
    await refused('copied');
    await expectNothingCopied();

    // By the mouse, from outside of the report right over it.
    await openOrder(otherOrderId);
    await banner().waitFor();
    await page.getByRole('heading', { name: 'Orders' }).hover();
    await page.mouse.down();
    await page.getByText('CANARYRESULT').hover();
    await page.mouse.up();
    await page.keyboard.press('Control+c');
    await refused('copied');
    await expectNothingCopied();

    // What somebody writes is theirs.
    await banner().getByLabel('Why it is the right patient').fill('mine');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await eventually('the copy', async () =>
      (await clipboards())[0] === 'mine' ? true : undefined,
    );
  });

  it('is printed after a confirmation, with the reason and nothing of the open patient', async () => {
    await confirm();
    for (const masked of [false, true]) {
      const text = await printed(masked ? 'masked' : 'shown', masked);
      expect(text).toContain('CANARYRESULT');
      expect(text).toContain('Check who this report is about');
      expect(text).toContain('is not the birth date of the patient it was printed for');
      expect(text).toContain(reason);
      expect(text.indexOf(reason)).toBeLessThan(text.indexOf('CANARYRESULT'));
      expect(text).not.toMatch(/CANARYCLIENT|03\/07\/1985|1985-03-07|11111111/u);
      expect(/Brannigan|1954/u.test(text)).toBe(!masked);
    }
    await page.getByText('CANARYRESULT').click({ clickCount: 3 });
    await page.keyboard.press('Control+c');
    await eventually('the copy', async () =>
      (await clipboards())[0].includes('CANARYRESULT') ? true : undefined,
    );
  });

  it('is confirmed for one order and one patient, until the lock', async () => {
    await confirm();
    await openOrder(otherOrderId);
    await banner().waitFor();
    await openOrder();
    await banner().waitFor();
    await confirm();
    await openPerson('CANARYCLIENT2');
    await openOrder();
    await banner().waitFor();
    await confirm();
    await lockAnew(page);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await page.content()).not.toContain(reason);
    await unlock(page);
    await untilFind(page);
    await openPerson('CANARYCLIENT2');
    await openOrder();
    await banner().waitFor();
    await page.keyboard.press('Control+p');
    await refused('printed');
  });
});

describe('a report', () => {
  it('that only the contact details contradict is not printed', async () => {
    await openPerson('CANARYINFO6');
    await openOrder();
    await banner().waitFor();
    // The same name, but for case and accents.
    expect(await page.getByText('The report is about').count()).toBe(0);
    await page.keyboard.press('Control+p');
    await refused('printed');
    await confirm();
    expect(await printed('contact')).not.toMatch(/CANARYINFO6|1970/u);
  });

  it('that only the patient’s own insurance contradicts is not printed', async () => {
    await openPerson('CANARYSELF4');
    await page.getByText('MEMBER-77').waitFor();
    await openOrder();
    await banner().getByText("the patient's own insurance").waitFor();
    await page.keyboard.press('Control+p');
    await refused('printed');
    await confirm();
    expect(await printed('insurance')).not.toContain('CANARYSELF4');
  });
});
