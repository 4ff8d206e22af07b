/**
 * All that an administrator's machine has around it when the install pages are followed there: an authority with
 * certificates, an identity provider, and a member of staff at the desk's screen, which answers on a debugging port.
 * Arguments: the files that the administrator waits for and writes the enrolment code to, and the patient to find.
 */
import { CertificateAuthority } from '@caregate/certificates';
import { Browser, startIdentityProvider } from '@caregate/identity-provider';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';

const [output = '', port = '', desk = ''] = process.argv.slice(2);
const pin = '493827';

const authority = await CertificateAuthority.create('Clinic');
const until = new Date(Date.now() + 90 * 86_400_000);
const { cert, key } = await authority.issue({ names: ['caregate.clinic.example'], until });
const provider = await startIdentityProvider({ port: Number(port), authority });
writeFileSync('privkey.pem', key);
writeFileSync('clinic-ca.pem', authority.pem);
writeFileSync('fullchain.pem', cert + authority.pem);
try {
  const browser = await eventually(() => chromium.connectOverCDP(`http://127.0.0.1:${desk}`));
  const [context] = browser.contexts();
  const page = await eventually(() => context?.pages()[0]);
  try {
    await firstPatient(page);
    console.log('The first patient is on the screen.');
  } finally {
    await page.close();
  }
} finally {
  await provider.stop();
}

/** Follows step 3 of docs/desktop.md. */
async function firstPatient(page: Page): Promise<void> {
  page.setDefaultTimeout(300_000);
  const code = /^[\dA-Z]{4}-[\dA-Z]{6}$/mu.exec(readFileSync(output, 'utf8'))?.[0];
  await page.getByLabel('Enrollment code').fill(code ?? 'none');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign in with' }).click();
  const opened = await eventually(() => existsSync('opened') && readFileSync('opened', 'utf8'));
  const back = await new Browser(provider.caCertificate).signIn(opened.trim(), 'front-desk');
  await fetch(back);
  await page.getByLabel('New PIN', { exact: true }).fill(pin);
  await page.getByLabel('New PIN again').fill(pin);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  await page.locator('main form input:focus').waitFor();
  await page.keyboard.type('oko', { delay: 100 });
  await page.getByRole('option', { name: 'Amara Okonkwo-Lindqvist' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'Patient', exact: true })
    .getByText('MRN-000101')
    .waitFor();
}

async function eventually<T>(
  ask: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch(() => undefined);
    if (answer !== undefined && answer !== false) return answer;
    await sleep(100);
  }
}
