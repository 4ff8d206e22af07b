import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { open } from '../support/states.testing.ts';

let service: DemoService;
let desktop: Desktop;

beforeAll(async () => {
  service = await startDemo();
  // Without the ready file: to this desktop it is a service like any other.
  desktop = await launch();
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

async function signIn(role: string): Promise<Page> {
  const { page } = desktop;
  const key = service.keys[role]!;
  await page.evaluate((given) => window.caregate.signIn({ ...given, saveKey: false }), {
    address: service.address,
    key,
  });
  await untilFind(page);
  return page;
}

async function logOf(page: Page): Promise<string> {
  await open('About')(page);
  return (await page.getByRole('region', { name: 'Audit log of the service' }).textContent()) ?? '';
}

it('a desktop keeps the last checkpoint, and has the growth proven at the next sign-in, of any role', async () => {
  const page = await signIn('front_desk');
  await logOf(page);
  const log = page.getByRole('region', { name: 'Audit log of the service' });
  await log.getByText('Nothing was removed or changed', { exact: false }).waitFor();
  const sizeOf = (): number => {
    const file = readFileSync(join(desktop.userData, 'witness.json'), 'utf8');
    return (JSON.parse(file) as Record<string, { size: number }>)[service.address]!.size;
  };
  const before = sizeOf();
  await page.evaluate(() => window.caregate.signOut({}));
  await signIn('billing');
  await logOf(page);
  await page.waitForFunction(() =>
    document.body.textContent.includes('Nothing was removed or changed'),
  );
  await eventually('a later checkpoint', () => Promise.resolve(sizeOf() > before || undefined));
  await page.evaluate(() => window.caregate.signOut({}));
});

it('a log that is not the one that was seen is told in words, and kept until someone begins anew', async () => {
  const page = await signIn('front_desk');
  await logOf(page);
  const log = page.getByRole('region', { name: 'Audit log of the service' });
  await log.getByText('Nothing was removed or changed', { exact: false }).waitFor();
  await page.evaluate(() => window.caregate.signOut({}));
  await desktop.app.close();

  // Another service takes its place, as if the log had been made anew: its key is another.
  const file = join(desktop.userData, 'witness.json');
  const other = await startDemo();
  const moved = readFileSync(file, 'utf8').replaceAll(service.address, other.address);
  writeFileSync(file, moved);
  const { userData } = desktop;
  await service.stop();
  service = other;
  desktop = await launch({ userData });

  const again = await signIn('front_desk');
  const note = again.getByRole('alert', { name: "The service's audit log can't be trusted" });
  await note.getByText('signed with another key', { exact: false }).waitFor();
  await note.getByRole('button', { name: 'Hide until the next sign-in' }).click();
  expect(await note.count()).toBe(0);
  await again.evaluate(() => window.caregate.signOut({}));
  await signIn('billing');
  await note.waitFor();
  expect(await logOf(again)).toMatch(/signed with another key[\s\S]*— \S+ \S{90,}/u);
  await again.getByRole('button', { name: 'Trust the log as it is from now on' }).click();
  await again
    .getByRole('region', { name: 'Audit log of the service' })
    .getByText('Nothing was removed or changed', { exact: false })
    .waitFor();
  expect(await note.count()).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('keyChanged');
});
