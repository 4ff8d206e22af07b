import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { look } from '../support/desktop.testing.ts';
import type { Look } from '../support/desktop.testing.ts';
import { resetShell, MORE, STATES } from '../support/states.testing.ts';
import { enterState, recover, plain, said, startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';

/** Every screen in each of its states, in one window: what it says, what it hides, and what axe finds in four looks. */
let walk: Walk;
let page: Page;

const looks = [
  { theme: 'dark', language: 'en' },
  { theme: 'dark', language: 'ar' },
  { theme: 'light', language: 'ar' },
  // Last, so that the next state is come to in English.
  plain,
] as const satisfies readonly Look[];

beforeAll(async () => {
  walk = await startWalk();
  page = walk.page;
});
afterAll(() => walk.close());
beforeEach(async () => {
  walk.service.respondWith(everything);
  await resetShell(page);
});
afterEach(() => {
  expect(walk.desktop.faults).toEqual([]);
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

describe.each(Object.entries(STATES))('%s', (_screen, states) => {
  it.each(Object.entries(states))('%s', async (name, state) => {
    await enterState(walk, state);
    // The locked page is the same over every screen: axe looks at it below.
    if (name !== 'locked') expect(await violations()).toEqual([]);
    await recover(walk, state);
  });
});

describe('And', () => {
  it.each(Object.entries(MORE))('%s', async (_name, state) => {
    await enterState(walk, state);
    expect(await violations()).toEqual([]);
  });

  it('the way in: locked, a wrong key, signed out, a wrong address', async () => {
    await page.evaluate(() => window.caregate.lock({}));
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.locator('input[type=password]').fill('cg_wrong');
    await page.keyboard.press('Enter');
    await said(page, 'That is not the key');
    expect(await violations()).toEqual([]);
    await page.evaluate(() => window.caregate.signOut({}));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByLabel('Service address').fill('http://clinic.example');
    await page.getByLabel('Staff key').fill('cg_live_x');
    await page.keyboard.press('Enter');
    await said(page, 'The address must begin with https://.');
    expect(await violations()).toEqual([]);
  });
});
