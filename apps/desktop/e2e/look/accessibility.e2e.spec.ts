import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { resetShell, MORE, STATES } from '../support/states.testing.ts';
import { enterState, recover, said, startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';
import { violations } from '../support/violations.testing.ts';

/** Every screen in each of its states, in one window: what it says, what it hides, and what axe finds in four looks. */
let walk: Walk;
let page: Page;

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

describe.each(Object.entries(STATES))('%s', (_screen, states) => {
  it.each(Object.entries(states))('%s', async (name, state) => {
    await enterState(walk, state);
    // The locked page is the same over every screen: axe looks at it below.
    if (name !== 'locked') expect(await violations(page)).toEqual([]);
    await recover(walk, state);
  });
});

describe('And', () => {
  it.each(Object.entries(MORE))('%s', async (_name, state) => {
    await enterState(walk, state);
    expect(await violations(page)).toEqual([]);
  });

  it('what is wrong is found: contrast in both themes, a field without a name', async () => {
    await page.evaluate(() => {
      const [wrong, text] = [document.createElement('div'), document.createElement('p')];
      text.textContent = 'Alpha';
      text.style.cssText = 'color: #777; background: #888';
      wrong.id = 'wrong';
      wrong.append(text, document.createElement('input'));
      // Over all else: axe leaves undecided what something lies over.
      wrong.style.cssText = 'position: fixed; inset: 0; z-index: 99; background: white';
      document.body.append(wrong);
    });
    const found = await violations(page);
    await page.evaluate(() => document.querySelector('#wrong')?.remove());
    // In Arabic axe takes the text for partly covered, and leaves it undecided; its colours are those of English.
    for (const wrong of ['dark en color-contrast', 'light en color-contrast', 'light en label']) {
      expect(found).toContainEqual(expect.stringContaining(`${wrong}: `));
    }
  });

  it('the way in: locked, a wrong key, signed out, a wrong address', async () => {
    await page.evaluate(() => window.caregate.lock({}));
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('input[type=password]').fill('cg_wrong');
    await page.keyboard.press('Enter');
    await said(page, 'That is not the key');
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => window.caregate.signOut({}));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Clinic's Caregate address").fill('http://clinic.example');
    await page.getByLabel('Staff key').fill('cg_live_x');
    await page.keyboard.press('Enter');
    await said(page, 'The address must begin with https://.');
    expect(await violations(page)).toEqual([]);
  });
});
