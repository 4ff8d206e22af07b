import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { enrolBeside } from '../../../../tools/setup/running-demo.mjs';
import { appFolder, launch, look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { open as openScreen } from '../support/steps.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

let service: DemoService;
let desktop: Desktop;
const folder = temporaryFolder();

startedDesk(startClinic, (there) => {
  ({ desktop } = there);
  ({ service } = there.service);
});
afterEach(async () => {
  // Settings outlive the sign-out: the next test begins in the plain look.
  await look(desktop.page, { theme: 'light', language: 'en' });
  await desktop.page.evaluate(() => window.caregate.signOut({}));
});

async function signedIn({ page }: Desktop): Promise<Page> {
  await signInToDemo(page, 'front-desk');
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  return page;
}

const open = (page: Page, name: string): Promise<unknown> => openScreen(name)(page);

describe('settings', () => {
  it('take effect at once and are saved', async () => {
    const page = await signedIn(desktop);
    await open(page, 'Settings');
    await page.getByRole('radio', { name: 'Dark' }).click();
    await page.getByRole('radio', { name: 'Letter' }).click();
    await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);

    await page.getByRole('combobox', { name: 'Minutes without use' }).selectOption('3');
    await page.getByLabel('Scanner prefixes').fill(']C1 ~');
    await page.getByLabel('Scanner prefixes').press('Enter');
    await page.getByText('Saved.', { exact: true }).waitFor();

    await page.getByRole('radio', { name: 'العربية' }).click();
    await page.waitForSelector('html[dir=rtl]');
    await page.getByRole('heading', { name: 'الإعدادات' }).waitFor();
    const stored: unknown = JSON.parse(
      readFileSync(join(desktop.userData, 'settings.json'), 'utf8'),
    );
    expect(stored).toMatchObject({
      language: 'ar',
      theme: 'dark',
      lockMinutes: 3,
      scannerPrefixes: [']C1', '~'],
      paper: 'letter',
    });
    // An empty field starts at the right in Arabic; a typed id would start at the left.
    await page.keyboard.press('Control+k');
    const field = page.locator('main form input');
    await field.waitFor();
    expect(await field.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
  });

  it('can’t change the address of the clinic', async () => {
    const page = await signedIn(desktop);
    await open(page, 'Settings');
    await page.getByLabel('Scanner prefixes').waitFor();
    expect(await page.getByLabel("Clinic's Caregate address").count()).toBe(0);
    const saved = await page.evaluate(() =>
      window.caregate.changeSettings({ address: 'https://clinic.example' } as object),
    );
    expect(saved).toMatchObject({ ok: false, problem: { kind: 'refused' } });
  });

  it('fixed by the policy are read-only; invalid policy entries are shown', async () => {
    const policyFile = join(folder, 'policy.json');
    const policy = { lockMinutes: 2, theme: 'dark', paper: 'a5', address: 'x.test' };
    writeFileSync(policyFile, JSON.stringify(policy));
    // Another desk needs a code of its own.
    const readyFile = join(folder, 'ready.json');
    expect(await enrolBeside(service.readyFile, readyFile)).toBe(true);
    const fixed = await launch({ readyFile, policyFile });
    const page = await signedIn(fixed);
    await open(page, 'Settings');
    await page.getByText('invalid entries: paper.', { exact: false }).waitFor();
    expect(await page.getByRole('radio', { name: 'Light' }).isDisabled()).toBe(true);
    const minutes = page.getByRole('combobox', { name: 'Minutes without use' });
    expect(await minutes.inputValue()).toBe('2');
    expect(await minutes.isDisabled()).toBe(true);
    const forced = await page.evaluate(() =>
      window.caregate.changeSettings({ lockMinutes: 15, theme: 'light' }),
    );
    expect(forced).toMatchObject({ ok: true, value: { lockMinutes: 2, theme: 'dark' } });
    const elsewhere = await page.evaluate(
      (address) => window.caregate.signInInfo({ address }),
      service.address,
    );
    expect(elsewhere).toEqual({ ok: false, problem: { kind: 'fixedAddress' } });
    expect(fixed.faults).toEqual([]);
    await fixed.close();
  });
});

describe('about', () => {
  it('shows the versions, and the license of every bundled package', async () => {
    const page = await signedIn(desktop);
    await open(page, 'About');
    const versions = page.getByRole('region', { name: 'Versions' });
    const electron = await desktop.app.evaluate(() => process.versions['electron']);
    await versions.getByText(electron, { exact: true }).waitFor();
    const manifest = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const service = JSON.parse(
      readFileSync(join(appFolder, '../service/package.json'), 'utf8'),
    ) as { version: string };
    await versions.getByText(service.version, { exact: true }).first().waitFor();
    const licences = page.getByRole('region', { name: 'Licenses' });
    const listed = await licences.locator('summary').allTextContents();
    const bundled = ['react', 'react-dom', 'react-aria-components', 'react-intl'];
    for (const name of [...bundled, '@tanstack/react-query', 'electron-log', 'electron']) {
      const version = manifest.dependencies[name] ?? manifest.devDependencies[name];
      expect(listed.filter((one) => one.startsWith(`${name} ${version}, `))).toHaveLength(1);
    }
    const one = licences.locator('details', {
      hasText: `react-dom ${manifest.dependencies['react-dom']!}`,
    });
    await one.locator('summary').click();
    await one.getByText('Permission is hereby granted', { exact: false }).waitFor();
    const lengths = await licences
      .locator('pre')
      .evaluateAll((texts) => texts.map((one) => one.textContent.length));
    expect(Math.min(...lengths)).toBeGreaterThan(20);
  });
});
