import { describe, expect, it } from '@jest/globals';
import { endLooks, layoutFaults } from '../support/layout.testing.ts';
import { axeFaults, faultsIn } from '../support/looks.testing.ts';
import { everything } from '../support/answers.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { enterState, recover, waitForText } from '../support/state-walk.testing.ts';
import { STATES } from '../support/states.testing.ts';

const desk = signedInDesk(() => everything);

type Boxes = readonly (readonly [text: string, style: string, title?: string])[];

/** Lays boxes over the page, each with its text and its style, and gives what is found of them. */
async function faultsOf(boxes: Boxes): Promise<string[]> {
  const { page } = desk;
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

describe('the detectors find', () => {
  const at = (left: number, top = 0): string => `left: ${String(left)}px; top: ${String(top)}px`;
  const long = 'Alpha of many more letters';
  const narrow = `${at(0)}; width: 40px; white-space: nowrap; overflow: hidden`;

  it.each<[what: string, boxes: Boxes]>([
    [
      'two texts at one place',
      [
        ['Alpha', at(0)],
        ['Beta', at(9, 9)],
      ],
    ],
    ['a text that is cut at its end', [[long, `${narrow}; text-overflow: ellipsis`]]],
    [
      'a text that is cut at its foot',
      [[long, `${at(0)}; width: 60px; height: 20px; overflow: hidden`]],
    ],
    [
      'a text that one cannot scroll to',
      [[long, `${at(0)}; width: 80px; height: 40px; overflow: auto; text-indent: -60px`]],
    ],
  ])('%s', async (_name, boxes) => {
    expect(await faultsOf(boxes)).not.toEqual([]);
  });

  it('nothing where a cut text has an ellipsis and a title', async () => {
    expect(await faultsOf([[long, `${narrow}; text-overflow: ellipsis`, long]])).toEqual([]);
  });

  it('a low contrast and a field without a name', async () => {
    const { page } = desk;
    await page.evaluate(() => {
      const [wrong, text] = [document.createElement('div'), document.createElement('p')];
      text.textContent = 'Alpha';
      text.style.cssText = 'color: #777; background: #888';
      wrong.id = 'wrong';
      wrong.append(text, document.createElement('input'));
      // Over all else: axe leaves covered text undecided.
      wrong.style.cssText = 'position: fixed; inset: 0; z-index: 99; background: white';
      document.body.append(wrong);
    });
    const found = await axeFaults(page);
    await page.evaluate(() => document.querySelector('#wrong')?.remove());
    expect(found).toContainEqual(expect.stringContaining('color-contrast: '));
    expect(found).toContainEqual(expect.stringContaining('label: '));
  });
});

describe('each state of each screen', () => {
  it.each(STATES)('$name', async (state) => {
    await enterState(desk, state);
    const found = await faultsIn(desk.desktop, state.name, STATES.indexOf(state));
    await recover(desk, state);
    expect(found).toEqual([]);
  });

  // The last of the file: it signs out.
  it('the lock, a wrong PIN, and the sign-in', async () => {
    const { page, desktop } = desk;
    await page.evaluate(() => window.caregate.lock({}));
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await faultsIn(desktop, 'locked', 0)).toEqual([]);
    await page.locator('input[type=password]').fill('902817');
    await page.keyboard.press('Enter');
    await waitForText(page, 'Wrong PIN.');
    expect(await faultsIn(desktop, 'a wrong PIN', 1)).toEqual([]);
    await page.evaluate(() => window.caregate.signOut({}));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await faultsIn(desktop, 'signed out', 2)).toEqual([]);
  });
});
