import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { faultsAtEachSize } from '../support/layout-walk.testing.ts';
import { look } from '../support/desktop.testing.ts';
import { endLooks, layoutFaults } from '../support/layout.testing.ts';
import { resetShell, MORE, STATES } from '../support/states.testing.ts';
import { enterState, plain, recover, said, startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';

/** Every screen in each of its states at each size and in each language: no text lies over another, and none is cut. */
let walk: Walk;
let page: Page;

beforeAll(async () => {
  walk = await startWalk();
  page = walk.page;
});
afterAll(() => walk.close());
beforeEach(async () => {
  walk.service.respondWith(everything);
  // A walk that failed may have left another language.
  await look(page, plain);
  await resetShell(page);
});
afterEach(() => {
  expect(walk.desktop.faults).toEqual([]);
});

const faults = (name: string): ReturnType<typeof faultsAtEachSize> =>
  faultsAtEachSize(walk.desktop, name);

describe.each(Object.entries(STATES))('%s', (screen, states) => {
  it.each(Object.entries(states))('%s', async (name, state) => {
    await enterState(walk, state);
    const found = await faults(`${screen} ${name}`);
    await recover(walk, state);
    expect(found).toEqual({});
  });
});

describe('And', () => {
  it.each(Object.entries(MORE))('%s', async (name, state) => {
    await enterState(walk, state);
    expect(await faults(name)).toEqual({});
  });
});

/** Lays boxes over the page, each with its text and its style, and gives what is found of them. */
async function faultsOf(
  boxes: readonly (readonly [text: string, style: string, title?: string])[],
) {
  await page.evaluate((given) => {
    const over = document.createElement('div');
    over.id = 'laid-over';
    over.style.cssText = 'position: fixed; inset: 0; background: white';
    for (const [text, style, title] of given) {
      const box = document.createElement('div');
      const inner = document.createElement('span');
      inner.textContent = text;
      box.style.cssText = `position: absolute; ${style}`;
      if (title !== undefined) box.title = title;
      box.append(inner);
      over.append(box);
    }
    document.body.append(over);
  }, boxes);
  const found = await layoutFaults(page);
  await endLooks(page);
  await page.evaluate(() => document.querySelector('#laid-over')?.remove());
  return found.filter((fault) => /Alpha|Beta/u.test(fault));
}

describe('What is looked for', () => {
  const narrow = 'left: 0; top: 0; width: 40px; white-space: nowrap; overflow: hidden';
  const low = 'left: 0; top: 0; width: 60px; height: 20px; overflow: hidden';
  const long = 'Alpha of many more letters';

  it.each([
    [
      'two texts at one place',
      [
        ['Alpha', 'left: 0; top: 0'],
        ['Beta', 'left: 9px; top: 9px'],
      ],
    ],
    [
      'a text over a line of another',
      [
        [long, 'left: 0; top: 0; width: 90px'],
        ['Beta', 'left: 4px; top: 22px'],
      ],
    ],
    ['a text cut at its end', [[long, narrow]]],
    ['a text cut at its end, with a title alone', [[long, narrow, long]]],
    ['a text cut at its end, with "…" alone', [[long, `${narrow}; text-overflow: ellipsis`]]],
    ['a text cut at its foot', [[long, low, long]]],
    [
      'a text that one cannot scroll to',
      [[long, 'left: 0; top: 0; width: 80px; height: 40px; overflow: auto; text-indent: -60px']],
    ],
    [
      'a text in a pane of no height',
      [[long, 'left: 0; top: 0; width: 80px; height: 3px; overflow: auto']],
    ],
  ] as const)('%s is found', async (_name, boxes) => {
    expect(await faultsOf(boxes)).not.toEqual([]);
  });

  it.each([
    [
      'two texts beside each other',
      [
        ['Alpha', 'left: 0; top: 0'],
        ['Beta', 'left: 90px; top: 0'],
      ],
    ],
    ['a text cut with "…" and a title', [[long, `${narrow}; text-overflow: ellipsis`, long]]],
    [
      'a text for screen readers alone',
      [
        [
          'Alpha',
          'left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)',
        ],
        ['Beta', 'left: 0; top: 0'],
      ],
    ],
    [
      'a text that nobody sees',
      [
        ['Alpha', 'left: 0; top: 0; visibility: hidden'],
        ['Beta', 'left: 0; top: 0'],
      ],
    ],
    [
      'a text scrolled away under another pane',
      [
        [long, 'left: 0; top: 0; width: 60px; height: 60px; overflow: auto'],
        ['Beta', 'left: 0; top: 64px'],
      ],
    ],
    ['a text of several lines', [[long, 'left: 0; top: 0; width: 70px']]],
  ] as const)('%s is not', async (_name, boxes) => {
    expect(await faultsOf(boxes)).toEqual([]);
  });
});

/** The last, since it signs out. */
describe('Before the screens', () => {
  it('the way in: locked, a wrong key, signed out, a wrong address', async () => {
    await page.evaluate(() => window.caregate.lock({}));
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await faults('locked')).toEqual({});
    await page.locator('input[type=password]').fill('cg_wrong');
    await page.keyboard.press('Enter');
    await said(page, 'That is not the key');
    expect(await faults('wrong key')).toEqual({});
    await page.evaluate(() => window.caregate.signOut({}));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await faults('signed out')).toEqual({});
    await page.getByLabel("Clinic's Caregate address").fill('http://clinic.example');
    await page.getByLabel('Staff key').fill('cg_live_x');
    await page.keyboard.press('Enter');
    await said(page, 'The address must begin with https://.');
    expect(await faults('wrong address')).toEqual({});
  });
});
