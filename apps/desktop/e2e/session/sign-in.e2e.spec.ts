import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { connectTo, launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { refusing } from '../support/answers.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

const key = 'cg_live_test_key';
const folder = temporaryFolder();
let service: FakeService;
let page: Page;

startedDesk(startFake, (there) => ({ page, service } = there));
beforeEach(async () => {
  service.respondWith(emptyTeam);
  await page.evaluate(() => window.caregate.signOut({}));
  await page.reload();
  await connectTo(page, service.address);
});

const addressField = (): Locator => page.getByLabel("Clinic's Caregate address");
const keyField = (): Locator => page.getByLabel('Staff key');

/** The field is marked as wrong, described by these words, and has the focus. */
async function untilWrong(field: Locator, words: string): Promise<void> {
  await page.getByText(words).waitFor();
  await field.and(page.locator('[aria-invalid=true]:focus')).waitFor();
  const described = await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
  expect(described).toContain(words);
}

async function untilMended(field: Locator, words: string): Promise<void> {
  await page.getByText(words).waitFor({ state: 'detached' });
  expect(await field.getAttribute('aria-invalid')).toBeNull();
}

describe('sign-in', () => {
  it('says what is missing, in its place, on Enter', async () => {
    await addressField().fill('');
    await addressField().press('Enter');
    await untilWrong(addressField(), 'Type an address first.');
    await addressField().fill(service.address);
    await untilMended(addressField(), 'Type an address first.');
    for (const typed of ['', '   ']) {
      await keyField().fill(typed);
      await addressField().press('Enter');
      await untilWrong(keyField(), 'Type your key first.');
    }
    await keyField().press('c');
    await untilMended(keyField(), 'Type your key first.');
  });

  it.each([
    { status: 401, says: "The service doesn't accept this staff key." },
    { status: 500, says: 'The service sent an invalid response.' },
  ])(
    'that failed ($status) keeps what was typed, until it is changed',
    async ({ status, says }) => {
      service.respondWith(refusing(status));
      await addressField().fill(service.address);
      await keyField().fill(key);
      await keyField().press('Enter');
      await page.getByText(says).waitFor();
      expect(await keyField().inputValue()).toBe(key);
      if (status === 401) await untilWrong(keyField(), says);
      await keyField().press('End');
      await page.getByText(says).waitFor();
      await keyField().press('Backspace');
      await untilMended(keyField(), says);
      expect(await keyField().inputValue()).toBe(key.slice(0, -1));
      service.respondWith(emptyTeam);
      await keyField().pressSequentially('y');
      await keyField().press('Enter');
      await untilFind(page);
    },
  );
});

describe('the lock', () => {
  it('says what is missing, and keeps what was typed until it is changed', async () => {
    await addressField().fill(service.address);
    await keyField().fill(key);
    await keyField().press('Enter');
    await untilFind(page);
    await page.keyboard.press('Control+l');
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await keyField().press('Enter');
    await untilWrong(keyField(), 'Type your key first.');
    await keyField().fill(`${key}x`);
    await untilMended(keyField(), 'Type your key first.');
    await keyField().press('Enter');
    await untilWrong(keyField(), 'That is not the key of the person who is signed in.');
    expect(await keyField().inputValue()).toBe(`${key}x`);
    await keyField().press('Backspace');
    await untilMended(keyField(), 'That is not the key of the person who is signed in.');
    await keyField().press('Enter');
    await page.getByRole('heading', { name: 'Find a person' }).waitFor();
  });
});

describe('an address that the policy fixes', () => {
  function startAt(address: string): Promise<Desktop> {
    const policyFile = join(folder, 'policy.json');
    writeFileSync(policyFile, JSON.stringify({ address }));
    return launch({ policyFile });
  }

  it('is given no key while this computer distrusts its certificate', async () => {
    const distrusted = await startFake({ tls: true });
    const fixed = await startAt(distrusted.address);
    await fixed.page.getByText("This computer doesn't trust the service's certificate.").waitFor();
    expect(await fixed.page.getByLabel('Staff key').count()).toBe(0);
    await fixed.close();
    await distrusted.stop();
  });

  it('is shown as text, with whose word it is, and signs in', async () => {
    const fixed = await startAt(service.address);
    const field = fixed.page.getByLabel("Clinic's Caregate address");
    await fixed.page.locator('input[type=password]:focus').waitFor();
    await fixed.page.getByText("Set by your clinic's policy").waitFor();
    expect(await field.inputValue()).toBe(service.address);
    expect(await field.getAttribute('readonly')).not.toBeNull();
    await fixed.page.getByLabel('Staff key').fill(key);
    await fixed.page.keyboard.press('Enter');
    await untilFind(fixed.page);
    expect(fixed.faults).toEqual([]);
    await fixed.close();
  });
});

/** The last, since the page has another clock from then on. */
describe('a key that was typed and left', () => {
  it('is gone after the minutes that lock the desk', async () => {
    await page.clock.install();
    await page.reload();
    await connectTo(page, service.address);
    await keyField().fill(key);
    await page.clock.runFor(4 * 60_000);
    expect(await keyField().inputValue()).toBe(key);
    await page.clock.runFor(61_000);
    expect(await keyField().inputValue()).toBe('');
  });
});
