import { beforeEach, describe, expect, it } from '@jest/globals';
import { share } from '@caregate/seeded/seed';
import type { Page } from 'playwright-core';
import { everything, labResult, orderId, withBothInsurances } from '../support/answers.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { json, primaryOnly } from '../support/fake-service.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { STATES } from '../support/states.testing.ts';
import { open, openOrder, openPerson } from '../support/steps.testing.ts';
import type { State } from '../support/states.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { waitForText } from '../support/state-walk.testing.ts';

/** Under the mask, no screen in any state says who somebody is, nor does what is copied there. */
let desktop: Desktop;
let service: FakeService;
let page: Page;

const insured = {
  payor_code: 'PAYOR-1',
  member_id: 'MEMBER-77',
  group_id: 'GROUP-5',
  relationship: 'Spouse',
  insured: {
    first_name: 'Grace',
    last_name: 'Hopper',
    dob: '1985-03-07',
    gender: 'female',
    email: 'grace@example.org',
    phone_number: '+15550100',
    address: { first_line: '12 Cedar Row', city: 'Larkhaven', state: 'ME', zip_code: '04999' },
  },
};
const result = {
  ...labResult,
  metadata: { ...labResult.metadata, specimen_number: 'SPEC-4242' },
};

/** One person's everything. */
const rich: Responder = (request, response) => {
  const url = request.url ?? '';
  if (url.includes('/insurance/')) primaryOnly(request, response, insured);
  else if (url.includes(orderId)) json(response, 200, result);
  else everything(request, response);
};

/** What tells who somebody is: a part of each is enough. */
const telling = [
  ...['MRN-1', '“nobody”', orderId.slice(0, 8)],
  ...['Tilda', 'Marrowby', '1985', 'SPEC-4242'],
  ...['PAYOR-1', 'MEMBER-7', 'GROUP-5', 'Grace', 'Hopper', 'grace@', '5550100'],
  ...['Cedar', 'Larkhaven', '04999', 'Wilhelmina', 'Ashgrove', '555-0188', 'Larkspur', '41 y'],
];

/** All that can be read or heard: texts, seen or not; names, titles and values; the window's title. */
async function readable(): Promise<string> {
  const title = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => window.getTitle())
      .join(),
  );
  const inPage = await page.evaluate(() => {
    const attributes = ['title', 'alt', 'placeholder', 'content', 'href', 'label', 'data-title'];
    const found = [document.title, document.body.textContent];
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        const isText =
          name.startsWith('aria-') &&
          !/labelledby|describedby|controls|owns|activedescendant/u.test(name);
        if (isText || attributes.includes(name)) found.push(value);
      }
      // A password's value is dots to the eye and to the ear.
      if (element instanceof HTMLInputElement && element.type !== 'password') {
        found.push(element.value);
      }
    }
    return found.join('\n');
  });
  return `${title}\n${inPage}`;
}

async function expectNothingTold(): Promise<void> {
  const read = await readable();
  expect(telling.filter((part) => read.includes(part))).toEqual([]);
}

/** Everything that copies, pressed; and all of the page, chosen and copied. */
async function copied(): Promise<string[]> {
  const found: string[] = [];
  const clipboard = (): Promise<string> =>
    desktop.app.evaluate(({ clipboard: system }) => system.readText());
  const buttons = page.getByRole('button', { name: /^Copy|^Masked/u });
  for (let place = 0; place < (await buttons.count()); place += 1) {
    if (!(await buttons.nth(place).isVisible())) continue;
    await buttons.nth(place).press('Enter');
    found.push(await clipboard());
  }
  await page.locator('main').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  found.push(await clipboard());
  for (const field of await page.locator('main input').all()) {
    await field.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    found.push(await clipboard());
  }
  return found;
}

/** What a state says where that tells who somebody is. */
const saysInstead: Readonly<Record<string, string>> = {
  'Find: empty': 'Nobody found for “••••”.',
  'Find: nobody with this id': 'Nobody found for “••••”.',
  'Find: the longest name': '1 patient',
  'Find: from right to left': '1 patient',
  'Find: by sound': 'whose name sounds like',
  'Labs: no such order': 'No result for the order “••••”',
  'Label: set up': 'Not printed while names are masked.',
  'Find: somebody was open before': 'Recent patients',
  // No earlier value is in this report.
  'Labs: one result': 'Ordered by',
};

async function enterState({ name, before, first, how, come, says }: State): Promise<void> {
  if (first !== undefined) service.respondWith(first);
  await before?.(page);
  // The person who is open is seen; an empty team and a refused list have nobody.
  await page.keyboard.press('F8');
  service.respondWith(how === 'gone' || how === undefined ? rich : how);
  if (how === 'gone') await service.stop();
  await come(page);
  // Begun anew, it is shown again: masked, the field of Find has dots.
  if ((await page.locator('main input[role=combobox][type=text]').count()) > 0) {
    await page.keyboard.press('F8');
  }
  await waitForText(page, saysInstead[name] ?? says);
}

/** The report has a patient, each of its results a specimen. */
async function openResult(given: Page): Promise<void> {
  await openOrder(given);
  await given.getByRole('button', { name: 'Sodium', exact: true }).click();
}

const printed = 'Insurance: to be printed';
const both = 'Insurance: both of them';
/** These mask by themselves. */
const masked = ['Overview: masked', 'Find: masked', 'Label: refused under the mask'];

/** A third of them, which changes with the seed; the long tier tests all. */
const common = STATES.filter(
  ({ name }) => !name.endsWith(': locked') && ![...masked, printed, both].includes(name),
);

const states: readonly State[] = [
  ...(process.env['TIER'] === 'long' ? common : share(common, 3)),
  {
    name: printed,
    before: async (given) => {
      await openPerson(given);
      await given.keyboard.press('Control+3');
      await given.getByText('MEMBER-77').waitFor();
    },
    come: (given) => given.keyboard.press('Control+p'),
    says: 'exactly as',
  },
  {
    name: both,
    before: async (given) => {
      service.respondWith(withBothInsurances);
      await openPerson(given);
      await open('Insurance')(given);
      await given.getByText('MEMBER-78').waitFor();
    },
    come: () => Promise.resolve(),
    says: 'Secondary',
  },
  { name: 'Labs: all of it', before: openPerson, come: openResult, says: 'Specimen' },
  {
    name: 'Insurance: all of it',
    before: openPerson,
    come: (given) => given.keyboard.press('Control+3'),
    says: 'Group ID',
  },
];

const desk = signedInDesk(() => rich);
beforeEach(() => {
  ({ desktop, page, service } = desk);
});

describe('under the mask', () => {
  it.each(states)('$name identifies nobody', async (state) => {
    try {
      await enterState(state);
      await expectNothingTold();
      // Shown and hidden once more, as it stands.
      await page.keyboard.press('F8');
      await page.keyboard.press('F8');
      await expectNothingTold();
      if ((await page.getByRole('dialog').count()) === 0) {
        const texts = await copied();
        expect(telling.filter((part) => texts.some((text) => text.includes(part)))).toEqual([]);
      }
      await expectNothingTold();
    } finally {
      if (state.how === 'gone') await service.again();
    }
  });

  it('a value is copied only without the mask', async () => {
    await openPerson(page);
    const bar = page.getByRole('region', { name: 'Patient', exact: true });
    await page.keyboard.press('F8');
    await bar.getByRole('button', { name: 'Copy MRN' }).click();
    const status = page.getByRole('status');
    await status.getByText('Masked: not copied').waitFor();
    await page.keyboard.press('Control+3');
    await page.getByRole('button', { name: 'Copy card' }).click();
    await status.getByText('Masked: not copied').waitFor();
    await page.keyboard.press('F8');
    await page.getByRole('button', { name: 'Copy card' }).click();
    await page.getByText('Copied; cleared in a minute').waitFor();
    expect(await desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toContain(
      'MEMBER-77',
    );
  });

  it('without the mask, every identifying value is shown: the tests above can find them', async () => {
    await openPerson(page);
    const shown: string[] = [];
    await openOrder(page);
    await page.getByRole('button', { name: 'Sodium', exact: true }).waitFor();
    shown.push(await readable());
    await openResult(page);
    await page.getByText('SPEC-4242').waitFor();
    shown.push(await readable());
    await page.keyboard.press('Control+3');
    await page.getByText('MEMBER-77').waitFor();
    shown.push(await readable());
    await open('Find')(page);
    await page.getByLabel('Name, DOB, phone, or MRN').fill('MRN-1');
    await page.keyboard.press('Enter');
    await page.getByText('Larkspur').first().waitFor();
    shown.push(await readable());
    const whole = shown.join('\n');
    const never = telling.filter((part) => !whole.includes(part));
    // Only the state in which nobody is found has this one.
    expect(never).toEqual(['“nobody”']);
  });
});
