import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { look } from '../support/desktop.testing.ts';
import { findField, open, openOrder, openPerson } from '../support/steps.testing.ts';
import type { Step } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { waitForText } from '../support/state-walk.testing.ts';

const desk = signedInDesk(() => everything);
let page: Page;

beforeAll(async () => {
  page = desk.page;
  await page.emulateMedia({ forcedColors: 'active' });
});

interface OneOfMany {
  readonly come: Step;
  readonly items: string;
  readonly chosen: string;
}

const selected = '[aria-checked=true], [aria-pressed=true], [data-selected]';
const sets: Readonly<Record<string, OneOfMany>> = {
  'the tabs of a person': {
    come: async (given) => {
      await openPerson(given);
      await open('Insurance')(given);
      await given.getByText('MEMBER-77').waitFor();
    },
    items: 'section[aria-label] nav button',
    chosen: '[aria-current]',
  },
  'a choice of two': {
    come: async (given) => {
      await open('Settings')(given);
      await given.getByText('Scanner prefixes').waitFor();
    },
    items: 'main [aria-label="Default paper"] [role=radio]',
    chosen: selected,
  },
  'the filters of results': {
    come: async (given) => {
      await openPerson(given);
      await openOrder(given);
      await given.getByRole('radio', { name: /abnormal$/u }).click();
    },
    items: 'main [aria-label^="Summary"] [role=radio]',
    chosen: selected,
  },
  'the orders of a person': {
    come: async (given) => {
      await openPerson(given);
      await openOrder(given);
      await waitForText(given, 'Ferritin');
    },
    items: 'main [role=option]',
    chosen: '[aria-selected=true]',
  },
  'the people found': {
    come: async (given) => {
      await given.getByLabel(findField).fill('amara');
      await given.getByText('2 patients').waitFor();
      await given.keyboard.press('ArrowDown');
      await given.locator('[role=option][aria-selected=true]').waitFor();
    },
    items: '[role=option]',
    chosen: '[aria-selected=true]',
  },
};

interface Seen {
  readonly isChosen: boolean;
  /** The mean colour of its outermost 3 pixels, and of those between edge and text; red, green, blue. */
  readonly edge: readonly number[];
  readonly ground: readonly number[];
}

/** From a picture: computed styles are not what forced colours paint. */
async function seenOf({ items, chosen }: OneOfMany): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const item of await page.locator(items).all()) {
    if (!(await item.isVisible())) continue;
    const picture = (await item.screenshot()).toString('base64');
    const isChosen = await item.evaluate((element, which) => element.matches(which), chosen);
    const colours = await page.evaluate(coloursOf, `data:image/png;base64,${picture}`);
    seen.push({ isChosen, ...colours });
  }
  return seen;
}

/** Runs in the page. */
async function coloursOf(picture: string): Promise<{ edge: number[]; ground: number[] }> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const mean = (isIn: (distance: number) => boolean): number[] => {
    const sums = [0, 0, 0];
    let count = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (!isIn(Math.min(x, y, width - 1 - x, height - 1 - y))) continue;
        for (const channel of [0, 1, 2]) sums[channel]! += data[4 * (y * width + x) + channel]!;
        count += 1;
      }
    }
    return sums.map((sum) => Math.round(sum / count));
  };
  return { edge: mean((distance) => distance < 3), ground: mean((distance) => distance === 5) };
}

const apart = (one: readonly number[], another: readonly number[]): number =>
  Math.max(...one.map((channel, place) => Math.abs(channel - another[place]!)));

/** By edge or ground: bolder letters alone are too little. */
function expectDistinct(seen: readonly Seen[]): void {
  const chosen = seen.filter(({ isChosen }) => isChosen);
  const others = seen.filter(({ isChosen }) => !isChosen);
  expect(chosen).toHaveLength(1);
  expect(others.length).toBeGreaterThan(0);
  for (const { edge, ground } of others) {
    const difference = Math.max(apart(chosen[0]!.edge, edge), apart(chosen[0]!.ground, ground));
    expect(difference).toBeGreaterThan(60);
  }
}

describe('in forced colours', () => {
  it.each(Object.entries(sets))(
    '%s: the selected one looks different from the others',
    async (_name, set) => {
      await set.come(page);
      expectDistinct(await seenOf(set));
    },
  );

  it('the tabs after a change of the screen, from right to left', async () => {
    await openPerson(page);
    await look(page, { theme: 'dark', language: 'ar' });
    await page.emulateMedia({ forcedColors: 'none' });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('Control+3');
    await page.locator('section nav button:nth-of-type(3)[aria-current]').waitFor();
    expectDistinct(await seenOf(sets['the tabs of a person']!));
  });
});
