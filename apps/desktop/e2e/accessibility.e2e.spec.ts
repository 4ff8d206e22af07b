import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { everything } from './answers.testing.ts';
import { launch, look } from './desktop.testing.ts';
import type { Desktop, Look } from './desktop.testing.ts';
import { startFake } from './fake-service.testing.ts';
import type { FakeService } from './fake-service.testing.ts';
import { beginAnew, key, MORE, STATES } from './states.testing.ts';
import type { State } from './states.testing.ts';

/** Every screen in each of its states, in one window: what it says, what it hides, and what axe finds in four looks. */
let desktop: Desktop;
let service: FakeService;
let page: Page;

const looks = [
  { theme: 'dark', language: 'en' },
  { theme: 'dark', language: 'ar' },
  { theme: 'light', language: 'ar' },
  // Last, so that the next state is come to in English.
  { theme: 'light', language: 'en' },
] as const satisfies readonly Look[];
const plain = looks[3];

beforeAll(async () => {
  desktop = await launch();
  page = desktop.page;
  service = await startFake();
  service.behave(everything);
  await look(page, plain);
  const { address } = service;
  await page.evaluate((given) => window.caregate.signIn(given), { address, key, keepKey: false });
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
beforeEach(async () => {
  service.behave(everything);
  await beginAnew(page);
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

/**
 * What axe finds in the state as it is now. Names, roles and structure are the same in all four looks; the colours,
 * the places and the language are not.
 */
async function violations(): Promise<string[]> {
  const found: string[] = [];
  for (const one of looks) {
    await look(page, one);
    // Half a megabyte that is brought in twice for each run, unless it is told that it is there.
    const isIn = await page.evaluate(() => 'axe' in window);
    const source = isIn ? { axeSource: 'undefined' } : {};
    const axe = new AxeBuilder({ page, ...source }).setLegacyMode(true);
    const results = await (
      one === plain
        ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        : axe.withRules(['color-contrast', 'link-in-text-block', 'target-size', 'html-has-lang'])
    ).analyze();
    for (const { id, nodes } of results.violations) {
      found.push(`${one.theme} ${one.language} ${id}: ${nodes[0]?.html ?? ''}`);
    }
  }
  return found;
}

const said = (text: string): Promise<void> => page.getByText(text).first().waitFor();

/** Comes to the state, and sees that it says what it must and hides what it must. */
async function comeTo({ before, how, come, says, request, hides = [] }: State): Promise<void> {
  await before?.(page);
  if (how === 'gone') await service.stop();
  else if (how !== undefined) service.behave(how);
  await come(page);
  await said(says);
  if (how === 'gone') await said('Not connected');
  if (request === true) await said('request-1');
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  const shown = `${await page.title()} ${html}`;
  expect(hides.filter((datum) => shown.includes(datum))).toEqual([]);
}

/** Asks again, the service being well. */
async function getOver({ how, retry }: State): Promise<void> {
  if (how === 'gone') await service.again();
  service.behave(everything);
  if (retry === undefined) return;
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(retry);
}

describe.each(Object.entries(STATES))('%s', (_screen, states) => {
  it.each(Object.entries(states))('%s', async (name, state) => {
    await comeTo(state);
    // The locked page is the same over every screen: axe looks at it below.
    if (name !== 'locked') expect(await violations()).toEqual([]);
    await getOver(state);
  });
});

describe('And', () => {
  it.each(Object.entries(MORE))('%s', async (_name, state) => {
    await comeTo(state);
    expect(await violations()).toEqual([]);
  });

  it('the way in: locked, a wrong key, signed out, a wrong address', async () => {
    await page.evaluate(() => window.caregate.lock({}));
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.locator('input[type=password]').fill('cg_wrong');
    await page.keyboard.press('Enter');
    await said('That is not the key');
    expect(await violations()).toEqual([]);
    await page.evaluate(() => window.caregate.signOut({}));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByLabel('Service address').fill('http://clinic.example');
    await page.getByLabel('Staff key').fill('cg_live_x');
    await page.keyboard.press('Enter');
    await said('The address must begin with https://.');
    expect(await violations()).toEqual([]);
  });
});
