import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from './answers.testing.ts';
import { launch, look } from './desktop.testing.ts';
import type { Desktop } from './desktop.testing.ts';
import { startFake } from './fake-service.testing.ts';
import type { FakeService } from './fake-service.testing.ts';
import { beginAnew, key, open, openOrder, openPerson } from './states.testing.ts';
import type { Step } from './states.testing.ts';

/** In forced colours, what is chosen of several is told from the others, and the others look alike. */
const pictures = fileURLToPath(new URL('../reports/screenshots', import.meta.url));
let desktop: Desktop;
let service: FakeService;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desktop = await launch();
  page = desktop.page;
  service = await startFake();
  service.behave(everything);
  const { address } = service;
  await page.evaluate((given) => window.caregate.signIn(given), { address, key, keepKey: false });
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
beforeEach(async () => {
  await beginAnew(page);
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

interface Set {
  readonly come: Step;
  /** All of them. */
  readonly items: string;
  /** Which of them is chosen. */
  readonly chosen: string;
}

const selected = '[aria-checked=true], [aria-pressed=true], [data-selected]';
const sets: Readonly<Record<string, Set>> = {
  'the rail': {
    come: async (given) => {
      await openPerson(given);
      await open('Insurance')(given);
      await given.getByText('MEMBER-77').waitFor();
    },
    items: 'nav button:enabled',
    chosen: '[aria-current]',
  },
  'a choice of two': {
    come: async (given) => {
      await openPerson(given);
      await open('Insurance')(given);
      await given.getByText('MEMBER-77').waitFor();
    },
    items: 'main [role=radio]',
    chosen: selected,
  },
  'a choice of clocks': {
    come: async (given) => {
      await openPerson(given);
      await open('Activity')(given);
      await given.getByText('20 sessions').waitFor();
    },
    items: 'main [role=radio]',
    chosen: selected,
  },
  'a choice of languages': {
    come: async (given) => {
      await open('Settings')(given);
      await given.getByText('Scanner prefixes').waitFor();
    },
    items: 'main [aria-label=Language] [role=radio]',
    chosen: selected,
  },
  'the filters of results': {
    come: async (given) => {
      await openPerson(given);
      await openOrder(given);
      await given.getByRole('button', { name: /outside range$/u }).click();
    },
    items: 'main [aria-pressed]:enabled',
    chosen: '[aria-pressed=true]',
  },
  'the rows of people': {
    come: async (given) => {
      await given.getByText('searched 1 of 1').waitFor();
      await given.getByLabel('Client id').focus();
      await given.keyboard.press('Tab');
      await given.locator('[role=row]').focus();
    },
    items: '[role=row], main form input',
    chosen: '[role=row]',
  },
  'the commands of the palette': {
    come: async (given) => {
      await given.keyboard.press('Control+k');
      await given.getByRole('menuitem', { name: 'Lock' }).waitFor();
      await given.keyboard.press('ArrowDown');
      await given.locator('[role=menuitem][data-focused]').waitFor();
    },
    items: '[role=menuitem]',
    chosen: '[data-focused]',
  },
};

/** What is seen of each: line by line of what forced colours leave. */
async function looksOf({ items, chosen }: Set): Promise<{ chosen: string[]; others: string[] }> {
  return page.evaluate(
    (which) => {
      const seen = (element: Element): string => {
        const style = getComputedStyle(element);
        const sides = ['top', 'right', 'bottom', 'left'].map((side) =>
          [`border-${side}-width`, `border-${side}-style`, `border-${side}-color`]
            .map((property) => style.getPropertyValue(property))
            .join(' '),
        );
        const ring = `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
        return [...new Set(sides), style.backgroundColor, style.color, ring].join(' | ');
      };
      const all = [...document.querySelectorAll(which.items)];
      return {
        chosen: all.filter((one) => one.matches(which.chosen)).map(seen),
        others: all.filter((one) => !one.matches(which.chosen)).map(seen),
      };
    },
    { items, chosen },
  );
}

describe('in forced colours', () => {
  it.each(Object.entries(sets))(
    '%s: the one that is chosen is told from the others',
    async (name, set) => {
      await set.come(page);
      await page.screenshot({ path: join(pictures, `forced-${name.replaceAll(' ', '-')}.png`) });
      const { chosen, others } = await looksOf(set);
      expect(chosen).toHaveLength(1);
      expect(others.length).toBeGreaterThan(0);
      expect(others).not.toContain(chosen[0]);
      // A mark that all of them have marks nothing: their borders and grounds are the same.
      const alike = new Set(others.filter((one) => !one.startsWith('1px dashed')));
      if (name === 'the rail') expect(alike.size).toBe(1);
    },
  );

  it.each(['en', 'ar'] as const)('and the rail of the next screen, in %s', async (language) => {
    await look(page, { theme: 'dark', language });
    await page.emulateMedia({ forcedColors: 'none' });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('Control+5');
    await page.locator('nav button:nth-of-type(5)[aria-current]').waitFor();
    const { chosen, others } = await looksOf(sets['the rail']!);
    expect(others).not.toContain(chosen[0]);
    await page.screenshot({ path: join(pictures, `forced-recents-${language}.png`) });
    await look(page, { theme: 'light', language: 'en' });
  });
});
