import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything, orderId, person } from '../support/answers.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import { resetShell, key, open, openPerson } from '../support/states.testing.ts';
import { startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';

/** After each way to a screen, the focus is where typing does what the screen is for, and nothing else has it. */
let walk: Walk;
let desktop: Desktop;
let service: FakeService;
let page: Page;
/** What the service was asked for, in order. */
const asked: string[] = [];

beforeAll(async () => {
  walk = await startWalk();
  ({ desktop, page, service } = walk);
});
afterAll(() => walk.close());
beforeEach(async () => {
  asked.length = 0;
  service.respondWith((request, response) => {
    asked.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '', service.address);
    if (/^\/v2\/user\/?$/u.test(pathname)) json(response, 200, people);
    else if (pathname.endsWith('/MRN-000101')) json(response, 200, scanned);
    else everything(request, response);
  });
  await resetShell(page);
  await openPerson(page);
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

/** Enough people for a list that keys can move in. */
const users: unknown[] = ['MRN-1', 'MRN-2', 'ZED-3'].map((id, index) => ({
  user_id: `11111111-1111-4111-8111-11111111111${String(index)}`,
  team_id: '22222222-2222-4222-8222-222222222222',
  client_user_id: id,
  created_on: '2026-01-01T00:00:00Z',
  connected_sources: [],
  fallback_time_zone: {
    id: 'Europe/Berlin',
    source_slug: 'manual',
    updated_at: '2026-01-01T00:00:00Z',
  },
}));
const scanned = { ...person, client_user_id: 'MRN-000101' };
const people = { users, total: users.length, offset: 0, limit: 500 };

/** Each screen of a key: its heading, and what has the focus there. */
const screens = [
  { name: 'Find', heading: 'Find a person', focus: 'Client id' },
  { name: 'Labs', heading: 'Lab results', focus: 'Order id' },
  { name: 'Activity', heading: 'Mindfulness minutes', focus: 'From MM/DD/YYYY' },
  { name: 'Insurance', heading: 'Insurance', focus: 'main' },
  { name: 'Recents', heading: 'Recents', focus: 'main' },
] as const;
type Keyed = (typeof screens)[number];
const keyOf = (screen: Keyed): string => `Control+${String(screens.indexOf(screen) + 1)}`;
const others = ['Settings', 'About'] as const;

/** Until the screen is there with the focus in its place: a field's text is selected, whole. */
async function arrived({ heading, focus }: Keyed): Promise<void> {
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  await page.waitForFunction((wanted) => {
    const { activeElement: has } = document;
    if (wanted === 'main') return has?.tagName === 'MAIN';
    if (!(has instanceof HTMLInputElement)) return false;
    const isSelected = has.selectionStart === 0 && has.selectionEnd === has.value.length;
    return has.labels?.[0]?.textContent === wanted && isSelected;
  }, focus);
  expect(await page.getByRole('dialog').count()).toBe(0);
}

/** What people can come to by Tab in the window as it is. */
const stops = 'button:enabled, input:enabled, select:enabled, [role=row], [tabindex="0"], summary';

/** Gives the focus to one of them, counted from the first, and says which it is; undefined after the last. */
async function focusOn(place: number): Promise<string | undefined> {
  const all = page.locator(stops);
  if (place >= (await all.count())) return undefined;
  await all.nth(place).focus();
  return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80));
}

/** Where the screen is settled: what it shows of the service is there. */
const settled: Readonly<Record<string, string>> = {
  Find: 'searched 3 of 3',
  Labs: 'No order is chosen.',
  Activity: '20 sessions',
  Insurance: 'MEMBER-77',
  Recents: 'Clear now',
  Settings: 'Scanner prefixes',
  About: 'MIT licence',
};
const isSettled = (name: string): Promise<void> => page.getByText(settled[name]!).first().waitFor();

describe('Ctrl+1 to 5', () => {
  it.each([...screens.map(({ name }) => name), ...others])(
    'from %s, whatever has the focus there, lead to the place of each screen',
    async (from) => {
      await open(from)(page);
      await isSettled(from);
      let visited = 0;
      for (let place = 0; ; place += 1) {
        if (from === 'Find') await page.getByLabel('Client id', { exact: true }).fill('MRN');
        const had = await focusOn(place);
        if (had === undefined) break;
        // Each place is left by another key, and that of the same screen more often than the others.
        const same = screens.find(({ name }) => name === from);
        const to = same !== undefined && place % 2 === 0 ? same : screens[place % screens.length]!;
        await page.keyboard.press(keyOf(to));
        await arrived(to);
        visited += 1;
        await open(from)(page);
        await isSettled(from);
      }
      expect(visited).toBeGreaterThan(10);
    },
  );

  it('on Find with a row in focus: what is typed then, and Enter, are the field’s alone', async () => {
    await page.keyboard.press('Control+1');
    await arrived(screens[0]);
    await page.getByRole('row', { name: 'ZED-3' }).focus();
    // As people type, and no scanner: each letter moves the list to a row, while the list has the focus.
    await page.keyboard.press('Control+1');
    await arrived(screens[0]);
    asked.length = 0;
    await page.keyboard.type('MRN-2', { delay: 110 });
    expect(await page.getByLabel('Client id', { exact: true }).inputValue()).toBe('MRN-2');
    await page.keyboard.press('Enter');
    await page.getByText('No user “MRN-2” in this team.').waitFor();
    expect(asked).toEqual(['/v2/user/resolve/MRN-2']);
    // Once more: the text is selected, and the next one takes its place.
    await page.keyboard.press('Control+1');
    await arrived(screens[0]);
    await page.keyboard.type('MRN-1', { delay: 110 });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Person', exact: true }).waitFor();
    expect(asked).toEqual(['/v2/user/resolve/MRN-2', '/v2/user/resolve/MRN-1']);
  });

  it('on Labs and Activity: what is typed then, and Enter, are the field’s alone', async () => {
    await page.keyboard.press('Control+2');
    await arrived(screens[1]);
    await page.keyboard.insertText(orderId);
    await page.keyboard.press('Enter');
    await page.getByText('Tilda Marrowby').waitFor();
    await page.getByRole('button', { name: 'Details of Copper' }).focus();
    await page.keyboard.press('Control+2');
    await arrived(screens[1]);
    const other = '00000000-0000-4000-8000-000000000000';
    await page.keyboard.insertText(other);
    await page.keyboard.press('Enter');
    await page.getByText(`No result for the order “${other}”`).waitFor();
    await page.keyboard.press('Control+3');
    await arrived(screens[2]);
    await isSettled('Activity');
    asked.length = 0;
    await page.keyboard.insertText('03/15/2026');
    await page.keyboard.press('Enter');
    await page.getByText('6 sessions', { exact: true }).waitFor();
    expect(asked).toHaveLength(1);
  });

  it('on Insurance and Recents: what is typed then, and Enter, do nothing', async () => {
    for (const screen of [screens[3], screens[4]]) {
      await page.keyboard.press(keyOf(screen));
      await arrived(screen);
      await isSettled(screen.name);
      await page.locator('main button').last().focus();
      await page.keyboard.press(keyOf(screen));
      await arrived(screen);
      const before = await page.locator('main').innerHTML();
      asked.length = 0;
      await page.keyboard.type('MRN 2', { delay: 110 });
      await page.keyboard.press('Enter');
      await arrived(screen);
      expect(await page.locator('main').innerHTML()).toBe(before);
      expect(asked).toEqual([]);
    }
  });

  it('close the palette, the list of keys and the print panel', async () => {
    const dialogs = [
      { from: screens[3], key: 'Control+k' },
      { from: screens[3], key: 'F1' },
      { from: screens[3], key: 'Control+p' },
    ] as const;
    for (const { from, key: opens } of dialogs) {
      for (const to of screens) {
        await page.keyboard.press(keyOf(from));
        await arrived(from);
        await isSettled(from.name);
        await page.keyboard.press(opens);
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press(keyOf(to));
        await arrived(to);
      }
    }
  });
});

describe('the same place is come to', () => {
  it('by the rail and by the palette', async () => {
    for (const from of screens) {
      for (const to of screens) {
        await open(from.name)(page);
        await arrived(from);
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').locator('input').fill(to.name);
        await page.getByRole('menuitem', { name: `${to.name} Ctrl+` }).waitFor();
        await page.keyboard.press('Enter');
        await arrived(to);
      }
    }
  });

  it('after a scan, whatever had the focus: Person, where Enter goes on', async () => {
    const scanner = await connectScanner(page);
    const places: readonly (() => Promise<unknown>)[] = [
      () => page.getByRole('row', { name: 'ZED-3' }).focus(),
      () => page.getByRole('button', { name: 'Sign out' }).focus(),
      () => page.keyboard.press('Control+k'),
      () => page.keyboard.press('F1'),
      // Scanned once more, on the Person screen itself.
      () => page.getByRole('button', { name: 'Refresh' }).focus(),
    ];
    for (const [place, give] of places.entries()) {
      if (place < places.length - 1) {
        await page.keyboard.press('Control+1');
        await arrived(screens[0]);
        await isSettled('Find');
      }
      await give();
      await scanner.scan('MRN-000101', () => 12);
      await page.waitForFunction(() => {
        const { activeElement: has } = document;
        return has?.textContent === 'Insurance' && has.closest('main') !== null;
      });
      await page.getByRole('heading', { name: 'Person', exact: true }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });
});

describe('unlocking', () => {
  it('by the key and Enter lead to the field of Find', async () => {
    await page.keyboard.press('Control+l');
    const field = page.getByLabel('Staff key of the person who is signed in');
    await field.waitFor();
    await field.pressSequentially(key);
    await page.keyboard.press('Enter');
    await arrived(screens[0]);
    await page.keyboard.type('ZED');
    expect(await page.getByLabel('Client id', { exact: true }).inputValue()).toBe('ZED');
  });
});

describe('the ring', () => {
  const ringOf = (): Promise<{ width: number; style: string; html: string }> =>
    page.evaluate(() => {
      const has = document.activeElement ?? document.body;
      const { outlineWidth, outlineStyle } = getComputedStyle(has);
      return {
        width: Number.parseFloat(outlineWidth),
        style: outlineStyle,
        html: has.outerHTML.slice(0, 100),
      };
    });

  it('isn’t around a screen or a dialog as a whole', async () => {
    for (const screen of screens) {
      await page.keyboard.press(keyOf(screen));
      await arrived(screen);
      await page.locator('main').focus();
      await page.keyboard.press('Shift');
      expect((await ringOf()).style).toBe('none');
    }
    for (const opens of ['Control+k', 'F1']) {
      await page.keyboard.press(opens);
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.evaluate((element) => {
        element.focus();
      });
      expect((await ringOf()).style).toBe('none');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it.each([...screens.map(({ name }) => name), ...others])(
    'is around each thing on %s that Tab leads to',
    async (name) => {
      await open(name)(page);
      await isSettled(name);
      const first = page.locator('nav button').first();
      await first.focus();
      await page.keyboard.press('Tab');
      let stopped = 0;
      for (; !(await first.evaluate((one) => one === document.activeElement)); stopped += 1) {
        const { width, style, html } = await ringOf();
        // Behind the last one is the window itself, and then the first again.
        if (!html.startsWith('<body')) {
          expect({ html, style, isWide: width >= 2 }).toEqual({
            html,
            style: 'solid',
            isWide: true,
          });
        }
        await page.keyboard.press('Tab');
      }
      // The rail, the person's bar and the status bar alone have nine.
      expect(stopped).toBeGreaterThan(9);
    },
  );
});
