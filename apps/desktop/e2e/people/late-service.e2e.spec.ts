import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { launch } from '../support/desktop.testing.ts';
import { startHeldNetwork } from '../support/held-network.testing.ts';
import type { HeldNetwork } from '../support/held-network.testing.ts';
import { startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';

/** A desk that is up before its clinic's network or service: on a slow machine, or early in the morning. */
let clinic: Clinic;
let network: HeldNetwork;
let folder: string;
let readyFile: string;

beforeAll(async () => {
  network = await startHeldNetwork();
  clinic = await startClinic({ CAREGATE_PUBLIC_URL: network.address });
  network.leadTo(clinic.service.address);
  folder = mkdtempSync(join(tmpdir(), 'caregate-late-'));
  readyFile = join(folder, 'ready.json');
  const ready = JSON.parse(readFileSync(clinic.service.readyFile, 'utf8')) as object;
  writeFileSync(readyFile, JSON.stringify({ ...ready, base_url: network.address }));
});
afterAll(async () => {
  await network.stop();
  await clinic.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

it('signs in by the provider however late the service knows the desk, and by itself once it answers', async () => {
  const userData = join(folder, 'user-data');
  const first = await launch({ readyFile, userData, stubs: true });
  await first.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await network.let();
  await first.page.getByRole('button', { name: 'Sign in with' }).waitFor();
  expect(first.faults).toEqual([]);
  await first.page.evaluate(async (address) => {
    const settings = await window.caregate.settings({});
    if (settings.ok) await window.caregate.saveSettings({ ...settings.value, address });
  }, network.address);
  await first.close();

  await network.cut();
  const second = await launch({ userData, stubs: true });
  const { page } = second;
  await page.getByText('This desk keeps trying').waitFor();
  await page.getByRole('alert').getByText("The service can't be reached.").waitFor();
  expect(await page.getByLabel('Staff key').count()).toBe(0);
  await page.getByRole('button', { name: 'Use a staff key' }).click();
  await page.getByLabel('Staff key').waitFor();
  await page.getByRole('button', { name: 'Wait for the service' }).waitFor();
  await network.let();
  // Whoever types a key is left with it.
  await page.getByRole('button', { name: 'Use the browser' }).click();
  await page.getByRole('button', { name: 'Sign in with' }).waitFor();
  await second.close();

  await network.cut();
  const third = await launch({ userData, stubs: true });
  await third.page.getByText('This desk keeps trying').waitFor();
  await network.let();
  await third.page.getByRole('button', { name: 'Sign in with' }).waitFor();
  await third.close();
});
