import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything, person } from '../support/answers.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import { findField, open, openPerson } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { waitForText } from '../support/state-walk.testing.ts';

/** After each way to a screen, its main control has the focus, and nothing else. */
let service: FakeService;
let page: Page;
const desk = signedInDesk(() => everything);
/** Addresses, in order. */
const requests: string[] = [];

beforeEach(async () => {
  ({ page, service } = desk);
  requests.length = 0;
  service.respondWith(noted(everything));
  await openPerson(page);
});

/** Notes requests, but not whether the service is ready; it has one more person. */
function noted(how: Responder): Responder {
  return (request, response) => {
    if (request.url !== '/readyz') requests.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '', service.address);
    if (pathname.endsWith('/MRN-000101')) json(response, 200, scanned);
    else how(request, response);
  };
}

const scanned = { ...person, client_user_id: 'MRN-000101' };

interface Keyed {
  readonly name: string;
  readonly key: string;
  readonly heading: string;
  /** The label of a field, what a button says, the screen as a whole, or the order of the list that Tab leads to. */
  readonly focus: string;
}

/** Each screen of a key: its heading, and what has the focus there. */
const screens = [
  { name: 'Find', key: 'k', heading: 'Search', focus: findField },
  { name: 'Labs', key: '2', heading: 'Lab results', focus: 'order' },
  { name: 'Insurance', key: '3', heading: 'Insurance', focus: 'main' },
  { name: 'Overview', key: '1', heading: 'Overview', focus: 'Open report' },
] as const satisfies readonly Keyed[];
const keyOf = (screen: Keyed): string => `Control+${screen.key}`;
const everyName = [...screens.map(({ name }) => name), 'Settings', 'About'];

const resolved = (): string[] => requests.filter((url) => url.includes('/resolve/'));

/** Until the screen is there with the focus in its place: a field's text is selected, whole. */
async function arrived({ heading, focus }: Keyed): Promise<void> {
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await page.waitForFunction((wanted) => {
    const { activeElement: has } = document;
    if (wanted === 'main') return has?.tagName === 'MAIN';
    if (wanted === 'order') return has?.matches('main [role=option]') === true;
    if (has instanceof HTMLButtonElement) {
      return has.closest('main') !== null && has.textContent.includes(wanted);
    }
    if (!(has instanceof HTMLInputElement)) return false;
    const isSelected = has.selectionStart === 0 && has.selectionEnd === has.value.length;
    return (has.ariaLabel ?? has.labels?.[0]?.textContent) === wanted && isSelected;
  }, focus);
  expect(await page.getByRole('dialog').count()).toBe(0);
}

/** The kinds of control that may have the focus. */
const kinds = [
  ...['aside button', 'main button:enabled', 'main input', 'main select', 'main summary'],
  'main [tabindex="0"]',
];

/** Where the screen is settled: what it shows of the service is there. */
const settled: Readonly<Record<string, string>> = {
  Find: 'Or scan, at any time',
  Labs: 'Ferritin',
  Overview: 'Larkspur',
  Insurance: 'MEMBER-77',
  Settings: 'Scanner prefixes',
  About: 'MIT license',
};
async function find(name: string): Promise<void> {
  await page.getByLabel(findField).fill(name);
  await page.getByText('Confirm patient').waitFor();
}

const isSettled = (name: string): Promise<void> => waitForText(page, settled[name]!);

describe('the keys of the screens', () => {
  it.each(everyName)(
    'from each kind of control on %s lead to the place of each screen',
    async (from) => {
      const order = screens.toSorted((screen) => (screen.name === from ? -1 : 0));
      let visited = 0;
      for (const kind of kinds) {
        await open(from)(page);
        await isSettled(from);
        // With somebody found, whose screens the keys of the tabs then open.
        if (from === 'Find') await find('ashg');
        const control = page.locator(kind).first();
        if (!(await control.isVisible())) continue;
        await control.focus();
        const to = order[visited % order.length]!;
        await page.keyboard.press(keyOf(to));
        await arrived(to);
        visited += 1;
      }
      expect(visited).toBeGreaterThan(0);
    },
  );

  it('on Search, Ctrl+K sends typed text and Enter to the field, whatever had the focus', async () => {
    await page.keyboard.press('Control+k');
    await arrived(screens[0]);
    await find('ashg');
    await page.locator('main section button').first().focus();
    await page.keyboard.press('Control+k');
    await arrived(screens[0]);
    requests.length = 0;
    await page.keyboard.type('MRN-2', { delay: 110 });
    expect(await page.getByLabel(findField).inputValue()).toBe('MRN-2');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody found for “MRN-2”.').waitFor();
    expect(resolved()).toEqual(['/v2/user/resolve/MRN-2']);
    // Once more: the text is selected, and the next one takes its place.
    await page.keyboard.press('Control+k');
    await arrived(screens[0]);
    await page.keyboard.type('MRN-1', { delay: 110 });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    expect(resolved()).toEqual(['/v2/user/resolve/MRN-2', '/v2/user/resolve/MRN-1']);
  });

  it('close the list of keys and the print panel', async () => {
    const opening = ['F1', 'Control+p'];
    const from = screens[2];
    for (const [place, to] of screens.entries()) {
      await page.keyboard.press(keyOf(from));
      await arrived(from);
      await isSettled(from.name);
      await page.keyboard.press(opening[place % opening.length]!);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press(keyOf(to));
      await arrived(to);
    }
  });
});

describe('the focus is in the same place', () => {
  it('after a scan, whatever had the focus: on Overview’s main action', async () => {
    const scanner = await connectScanner(page);
    const places: readonly (() => Promise<unknown>)[] = [
      () => page.getByLabel(findField).fill('ashg'),
      () => page.locator('footer button[aria-haspopup=menu]').focus(),
      () => page.keyboard.press('F1'),
      // Scanned once more, on the Overview itself.
      () => page.getByRole('button', { name: 'Refresh' }).focus(),
    ];
    for (const [place, give] of places.entries()) {
      if (place < places.length - 1) {
        await page.keyboard.press('Control+k');
        await arrived(screens[0]);
        await isSettled('Find');
      }
      await give();
      await scanner.scan('MRN-000101', () => 12);
      await page.waitForFunction(() => {
        const { activeElement: has } = document;
        return has?.textContent.startsWith('Open report') === true && has.closest('main') !== null;
      });
      await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });
});

describe('what was done', () => {
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent ?? '');
  /** Where every control is. */
  const places = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('#root button, h1, dd')].map((one) =>
        JSON.stringify(one.getBoundingClientRect()),
      ),
    );

  it('is announced; nothing moves, and the focus stays', async () => {
    await page.keyboard.press('Control+3');
    await arrived(screens[2]);
    await isSettled('Insurance');
    await page.getByText('1 policy on file').waitFor();
    const before = await places();
    const status = page.getByRole('status');
    await page.getByRole('button', { name: 'Copy card' }).press('Enter');
    await status.getByText('Copied; cleared in a minute').waitFor();
    expect(await focused()).toBe('Copy card');
    expect(await places()).toEqual(before);
  });

  it.each([
    ['Overview', 'Control+b'],
    ['Insurance', 'Control+p'],
  ])('in a panel over %s moves nothing of the screen', async (name, key) => {
    await open(name)(page);
    await isSettled(name);
    await page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
    const before = await places();
    await page.keyboard.press(key);
    await waitForText(page, 'exactly as');
    expect(await places()).toEqual(before);
  });
});

describe('the ring', () => {
  /** Of what has the focus: its ring, and whether it is the first stop of the window. */
  const findRing = (): Promise<{ ring: string; isWide: boolean; html: string; isFirst: boolean }> =>
    page.evaluate(() => {
      const has = document.activeElement ?? document.body;
      const own = getComputedStyle(has);
      // That of Find's field is around its pictures too.
      const form = has.closest('main form');
      const isOwn = own.outlineStyle !== 'none' || form === null;
      const { outlineWidth, outlineStyle } = isOwn ? own : getComputedStyle(form);
      return {
        ring: outlineStyle,
        isWide: Number.parseFloat(outlineWidth) >= 2,
        html: has.outerHTML.slice(0, 100),
        isFirst: has === document.querySelector('aside button'),
      };
    });

  it.each(everyName)('is around each control on %s that Tab leads to', async (name) => {
    await open(name)(page);
    await isSettled(name);
    if (name === 'Find') await find('ashg');
    await page.locator('aside button').first().focus();
    let stopped = 0;
    for (let isFirst = false; !isFirst; stopped += 1) {
      await page.keyboard.press('Tab');
      const found = await findRing();
      ({ isFirst } = found);
      // Behind the last one is the window itself, and then the first again.
      if (found.html.startsWith('<body')) continue;
      expect(found).toEqual({ ...found, ring: 'solid', isWide: true });
    }
    // The sidebar alone has six.
    expect(stopped).toBeGreaterThan(6);
  });
});
