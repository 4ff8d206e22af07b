import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { look } from '../support/desktop.testing.ts';
import { layoutFaults, picture, resize } from '../support/layout.testing.ts';
import type { Size } from '../support/layout.testing.ts';
import { resetShell, MORE, STATES } from '../support/states.testing.ts';
import { enterState, recover, plain, said, startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';

/** Every screen in each of its states at each size and in each language: no text lies over another, and none is cut. */
let walk: Walk;
let page: Page;

const usual: Size = { width: 1280, height: 800, zoom: 1 };
const sizes: readonly Size[] = [
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1600, height: 900 },
].flatMap((size) => [1, 2].map((zoom) => ({ ...size, zoom })));
const languages = ['es', 'ar', 'en'] as const;
/** Set KEEP_LAYOUTS to a folder to look at each. */
const pictures = process.env['KEEP_LAYOUTS'];

beforeAll(async () => {
  walk = await startWalk();
  page = walk.page;
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
});
afterAll(() => walk.close());
beforeEach(async () => {
  walk.service.respondWith(everything);
  await resetShell(page);
});
afterEach(() => {
  expect(walk.desktop.faults).toEqual([]);
});

/** What is wrong in the state as it is now, with the sizes and languages that it is wrong in. */
async function faults(name: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const language of languages) {
    await look(page, { ...plain, language });
    for (const size of sizes) {
      await resize(walk.desktop, size);
      const at = `${language} ${String(size.width)} x ${String(size.zoom)}`;
      for (const fault of await layoutFaults(page)) {
        found[fault] = [found[fault], at].filter(Boolean).join(', ');
      }
      if (pictures !== undefined) {
        const file = `${name} ${at}.png`.replaceAll(/[^\w.]+/gu, '-');
        await picture(walk.desktop, join(pictures, file));
      }
    }
  }
  await look(page, plain);
  await resize(walk.desktop, usual);
  return found;
}

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
    await page.getByLabel('Service address').fill('http://clinic.example');
    await page.getByLabel('Staff key').fill('cg_live_x');
    await page.keyboard.press('Enter');
    await said(page, 'The address must begin with https://.');
    expect(await faults('wrong address')).toEqual({});
  });
});
