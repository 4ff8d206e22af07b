import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from './answers.testing.ts';
import type { SignedInDesk } from './signed-in-desk.testing.ts';
import type { State } from './states.testing.ts';

/** Goes to the state, and checks what it shows and hides. */
export async function enterState({ page, service }: SignedInDesk, state: State): Promise<void> {
  const { before, first, how, come, says, request, hides = [] } = state;
  if (first !== undefined) service.respondWith(first);
  await before?.(page);
  service.respondWith(everything);
  if (how === 'gone') await service.stop();
  else if (how !== undefined) service.respondWith(how);
  await come(page);
  await waitForText(page, says);
  if (how === 'gone') await waitForText(page, 'Not connected');
  if (request === true) await waitForText(page, 'request-1');
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  const shown = `${await page.title()} ${html}`;
  expect(hides.filter((datum) => shown.includes(datum))).toEqual([]);
}

/** Repeats the read while the service answers. */
export async function recover(
  { page, service }: SignedInDesk,
  { how, retry }: State,
): Promise<void> {
  if (how === 'gone') await service.again();
  service.respondWith(everything);
  if (retry === undefined) return;
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForText(page, retry);
}

export const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor();
