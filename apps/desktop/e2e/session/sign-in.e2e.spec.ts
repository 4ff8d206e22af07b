import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { refusing } from '../support/answers.testing.ts';
import { connectTo, launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { ENROLMENT_CODE, PIN } from '../support/fake-sign-in.testing.ts';
import { signIn } from '../support/signed-in-desk.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

const folder = temporaryFolder();
let desktop: Desktop;
let service: FakeService;
let page: Page;

startedDesk(startFake, (there) => ({ desktop, page, service } = there));
beforeEach(async () => {
  service.respondWith(emptyTeam);
  await page.evaluate(() => window.caregate.signOut({}));
  await page.reload();
});

const addressField = (): Locator => page.getByLabel("Clinic's Caregate address");

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

describe('the first run', () => {
  it('shows each error at its field and leads to the sign-in', async () => {
    await addressField().press('Enter');
    await untilWrong(addressField(), 'Type an address first.');
    // Another program's address.
    service.respondWith(refusing(404));
    await addressField().fill(`${service.address}/elsewhere`);
    await untilMended(addressField(), 'Type an address first.');
    await addressField().press('Enter');
    await untilWrong(addressField(), 'There is no Caregate service at this address.');
    await addressField().fill(service.address);
    await addressField().press('Enter');
    const code = page.getByLabel('Enrollment code');
    await code.fill(ENROLMENT_CODE.slice(1));
    await code.press('Enter');
    await untilWrong(code, 'Enter all 10 letters and digits of the code.');
    await code.fill(ENROLMENT_CODE);
    await code.press('Enter');
    await page.getByRole('button', { name: 'Sign in with Harbourside' }).waitFor();
    expect(await page.getByText('key').count()).toBe(0);
  });
});

describe('the lock', () => {
  it('is unlocked while the service answers nothing else', async () => {
    await signIn(desktop, service);
    service.respondWith(refusing(500));
    await page.keyboard.press('Control+l');
    const pin = page.locator('input[type=password]');
    await pin.fill(PIN);
    await pin.press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
  });
});

describe('an address that the policy fixes', () => {
  function startAt(address: string): Promise<Desktop> {
    const policyFile = join(folder, 'policy.json');
    writeFileSync(policyFile, JSON.stringify({ address }));
    return launch({ policyFile });
  }

  it('signs nobody in while this computer distrusts its certificate', async () => {
    const distrusted = await startFake({ tls: true });
    const fixed = await startAt(distrusted.address);
    await fixed.page.getByText("This computer doesn't trust the service's certificate.").waitFor();
    expect(await fixed.page.getByRole('button', { name: 'Sign in with' }).count()).toBe(0);
    await fixed.close();
    await distrusted.stop();
  });

  it('is never asked for', async () => {
    const fixed = await startAt(service.address);
    await connectTo(fixed.page, 'https://never.asked.example', ENROLMENT_CODE);
    expect(await fixed.page.getByRole('button', { name: 'Another clinic' }).count()).toBe(0);
    await signIn(fixed, service);
    expect(fixed.faults).toEqual([]);
    await fixed.close();
  });
});
