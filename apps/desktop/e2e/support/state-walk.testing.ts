import { beforeEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from './answers.testing.ts';
import { look } from './desktop.testing.ts';
import type { Desktop, Look } from './desktop.testing.ts';
import { startFake } from './fake-service.testing.ts';
import type { FakeService } from './fake-service.testing.ts';
import { signIn } from './signed-in-desk.testing.ts';
import { startedDesk } from './started-desk.testing.ts';
import { resetShell } from './steps.testing.ts';
import type { State } from './states.testing.ts';

/** The look in which every state is come to: its texts are looked for in English. */
export const plain = { theme: 'light', language: 'en' } as const satisfies Look;

/** One window and one service, to walk through the states of the screens. */
export interface Walk {
  readonly desktop: Desktop;
  readonly service: FakeService;
  readonly page: Page;
}

/**
 * One window and one fake service for the file, signed in and in the plain look at the start of each test.
 *
 * @param started gets both before the first test
 */
export function walkedDesk(started: (walk: Walk) => unknown = () => undefined): {
  readonly walk: Walk;
} {
  const there: { walk?: Walk } = {};
  startedDesk(startFake, async (walk) => {
    there.walk = walk;
    const { page, service } = walk;
    service.respondWith(everything);
    await look(page, plain);
    await signIn(walk.desktop, service);
    await started(walk);
  });
  beforeEach(async () => {
    const { page, service } = there.walk!;
    service.respondWith(everything);
    // A walk that failed may have left another language.
    await look(page, plain);
    await resetShell(page);
  });
  return there as { walk: Walk };
}

/** Comes to the state, and sees that it says what it must and hides what it must. */
export async function enterState({ page, service }: Walk, state: State): Promise<void> {
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

/** Asks again, the service being well. */
export async function recover({ page, service }: Walk, { how, retry }: State): Promise<void> {
  if (how === 'gone') await service.again();
  service.respondWith(everything);
  if (retry === undefined) return;
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForText(page, retry);
}

export const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor();
