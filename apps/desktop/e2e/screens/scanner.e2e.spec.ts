import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/desktop.testing.ts';
import { emptyTeam, json, userOf } from '../support/fake-service.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import type { Scanner } from '../support/scanner.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

let page: Page;
let scanner: Scanner;
/** Client ids that were looked up, in order. */
const resolved: string[] = [];
/** Answers that are held back, by client id. */
const waiting = new Map<string, ServerResponse>();
let isWaiting = false;

const desk = signedInDesk(() => (request, response) => {
  const id = /^\/v2\/user\/resolve\/([^/?]+)/u.exec(request.url ?? '')?.[1];
  if (id === undefined) {
    emptyTeam(request, response);
    return;
  }
  const clientUserId = decodeURIComponent(id);
  resolved.push(clientUserId);
  if (isWaiting) waiting.set(clientUserId, response);
  else answer(clientUserId, response);
});
beforeEach(async () => {
  resolved.length = 0;
  waiting.clear();
  isWaiting = false;
  ({ page } = desk.desktop);
  scanner = await connectScanner(page);
});

/** Each client id has its own person, except NOBODY-… and those that begin with a comma. */
function answer(clientUserId: string, response: ServerResponse): void {
  if (clientUserId.startsWith('NOBODY') || clientUserId.startsWith(',')) {
    json(response, 404, { type: '/problems/not-found', title: 'No', status: 404 });
    return;
  }
  const number = Array.from(clientUserId).reduce(
    (sum, one) => (sum * 31 + one.charCodeAt(0)) >>> 0,
    7,
  );
  const first = number.toString(16).padStart(8, '0');
  json(response, 200, {
    ...userOf(clientUserId),
    user_id: `${first}-1111-4111-8111-111111111111`,
  });
}

async function isShown(clientUserId: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Patient', exact: true })
    .getByText(clientUserId, { exact: true })
    .waitFor();
}

const steady = (gap: number) => (): number => gap;

describe('scans in a real window', () => {
  it('of a US scanner on a French layout open the person', async () => {
    const codes = [
      'KeyM',
      'KeyR',
      'KeyN',
      'Minus',
      ...Array.from('000101', (one) => `Digit${one}`),
    ];
    const keys = Array.from(',RN)ààà&à&', (key, place) => ({
      ...{ key, code: codes[place]!, shift: place < 3 },
    }));
    await scanner.scan(keys, steady(8));
    await isShown('MRN-000101');
    expect(resolved).toEqual([',RN)ààà&à&', 'MRN-000101']);
  });

  it('with gaps of 5 to 40 ms: each opens its person once, whatever has the focus, and leaves nothing typed', async () => {
    const places: readonly (() => Promise<unknown>)[] = [
      async () => {
        await page.keyboard.press('Control+k');
        await page.getByLabel('Name, DOB, phone, or MRN').focus();
      },
      async () => {
        await page.keyboard.press('Control+2');
        await page.getByLabel('Order number', { exact: true }).focus();
      },
      () => page.locator('footer button[aria-haspopup=menu]').focus(),
      () => page.getByRole('button', { name: 'Lock', exact: true }).focus(),
      () =>
        page.evaluate(() => {
          (document.activeElement as HTMLElement).blur();
        }),
      async () => {
        await page.keyboard.press('F1');
        await page.getByRole('dialog').waitFor();
      },
    ];
    const expected: string[] = [];
    for (let count = 0; count < 2 * places.length; count += 1) {
      await places[count % places.length]!();
      const id = `MRN ${String(100_000 + count * 7919)}`;
      const gap = 5 + ((count * 7) % 36);
      const end = Math.floor(count / places.length) % 2 === 0 ? 'Enter' : 'Tab';
      await scanner.rush(id, steady(gap), end);
      expected.push(id);
      await isShown(id);
    }
    expect(resolved).toEqual(expected);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    expect(await page.getByLabel('Name, DOB, phone, or MRN').inputValue()).toBe('');
  });

  it('leaves nothing of the code in a field, nor what was typed there for somebody else', async () => {
    const field = page.getByLabel('Name, DOB, phone, or MRN');
    isWaiting = true;
    await field.fill('half an id');
    await field.press('Home');
    await field.press('ArrowRight');
    await scanner.scan('MRN-000101', steady(12));
    await untilRequested('MRN-000101');
    answer('MRN-000101', waiting.get('MRN-000101')!);
    await isShown('MRN-000101');
    await page.keyboard.press('Control+k');
    await expect(field.inputValue()).resolves.toBe('');
  });
});

describe('the person who was open', () => {
  it('is gone at the scan, before the answer, which names what is looked up; a failure shows nobody', async () => {
    const header = page.getByRole('region', { name: 'Patient', exact: true });
    const body = page.locator('main');
    await scanner.scan('MRN-000101', steady(10));
    await isShown('MRN-000101');
    isWaiting = true;
    for (const code of ['NOBODY-7', 'BROKEN-77']) {
      await scanner.scan(code, steady(10));
      const lookUp = page.getByRole('region', { name: 'Look-up' });
      await lookUp.getByText(`Looking up ${code} …`).waitFor();
      await lookUp.getByText('The patient who was open before is closed.').waitFor();
      expect(await header.count()).toBe(0);
      expect(await body.textContent()).not.toContain('MRN-000101');
      await untilRequested(code);
      if (code === 'NOBODY-7') answer(code, waiting.get(code)!);
      else json(waiting.get(code)!, 200, {});
      await page.getByRole('alert').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      expect(await header.count()).toBe(0);
      isWaiting = false;
      await page.keyboard.press('Control+Tab');
      await isShown('MRN-000101');
      isWaiting = true;
    }
    expect(resolved).toEqual(['MRN-000101', 'NOBODY-7', 'MRN-000101', 'BROKEN-77', 'MRN-000101']);
  });

  it.each([
    ['Control+1', 'Search'],
    ['Control+2', 'Labs'],
  ])('is gone at a code that was read only in part, opened at %s', async (key, shown) => {
    const header = page.getByRole('region', { name: 'Patient', exact: true });
    await scanner.scan('MRN-000101', steady(10));
    await isShown('MRN-000101');
    await page.keyboard.press(key);
    // The cable was loose for a moment.
    const gaps = [10, 10, 10, 10, 10, 10, 300, 10, 10, 10, 10];
    await scanner.scan('MRN-000377', () => gaps.shift()!);
    await page.getByRole('alert').getByText('The code was only partly read').waitFor();
    await page.getByRole('main', { name: shown }).waitFor();
    expect(await header.count()).toBe(0);
    // The empty search lists who was open last, and has this id as an example of what to type.
    const isHome = shown === 'Search';
    expect(await page.locator('main').getByText('MRN-000101').count()).toBe(isHome ? 2 : 0);
    expect(resolved).toEqual(['MRN-000101']);
  });
});

describe('a code that is nobody’s', () => {
  it.each([
    ['Enter', 'goes on by name', ''],
    ['F2', 'edits the code', 'NOBODY-7'],
  ])('is no error, and has the screen to itself: %s %s', async (key, _what, typed) => {
    const field = page.getByLabel('Name, DOB, phone, or MRN');
    await scanner.scan('NOBODY-7', steady(10));
    await page.getByText('Nobody here has this code').waitFor();
    await page.getByText('NOBODY-7', { exact: true }).waitFor();
    expect(await field.count()).toBe(0);
    await page.getByRole('button', { name: 'Find by name', exact: true }).waitFor();
    await page.keyboard.press(key);
    await field.waitFor();
    expect(await field.inputValue()).toBe(typed);
    expect(await page.getByText('Nobody here has this code').count()).toBe(0);
  });
});

describe('two codes at once', () => {
  it('within 50 ms, or later: the last one opens, whichever answer comes first', async () => {
    isWaiting = true;
    for (const apart of [0, 3000]) {
      waiting.clear();
      await scanner.rush('FIRST-0001', steady(5));
      await untilRequested('FIRST-0001');
      await page.evaluate(watchNames);
      await scanner.rush('SECOND-02', steady(5), 'Enter', apart);
      await page.getByText('Looking up SECOND-02 …').waitFor();
      await untilRequested('SECOND-02');
      const first = waiting.get('FIRST-0001')!;
      if (!first.destroyed) answer('FIRST-0001', first);
      answer('SECOND-02', waiting.get('SECOND-02')!);
      await isShown('SECOND-02');
      const seen = await page.evaluate(() => (window as unknown as Watched).seen);
      expect(seen.filter((text) => text.includes('FIRST-0001'))).toEqual([]);
    }
  });

  it('the same code twice is one look-up', async () => {
    isWaiting = true;
    await scanner.scan('FIRST-0001', steady(10));
    await scanner.scan('FIRST-0001', steady(10));
    await untilRequested('FIRST-0001');
    expect(await page.getByRole('alert').count()).toBe(0);
    answer('FIRST-0001', waiting.get('FIRST-0001')!);
    await isShown('FIRST-0001');
    isWaiting = false;
    await scanner.scan('LATER-0003', steady(10));
    await isShown('LATER-0003');
    expect(resolved).toEqual(['FIRST-0001', 'LATER-0003']);
  });
});

describe('two look-ups by hand', () => {
  it('race: the last one opens, whichever answer comes first, and nothing of the other is ever shown', async () => {
    const field = page.getByLabel('Name, DOB, phone, or MRN');
    isWaiting = true;
    for (const [early, late] of [
      ['RACE-1', 'RACE-2'],
      ['RACE-2', 'RACE-1'],
    ] as const) {
      waiting.clear();
      await page.keyboard.press('Control+k');
      for (const id of ['RACE-1', 'RACE-2']) {
        await field.fill(id);
        await field.press('Enter');
        await untilRequested(id);
      }
      await page.evaluate(watchNames);
      for (const id of [early, late]) {
        const response = waiting.get(id)!;
        // The aborted one may be closed already.
        if (!response.destroyed) answer(id, response);
      }
      await isShown('RACE-2');
      const seen = await page.evaluate(() => (window as unknown as Watched).seen);
      expect(seen.some((text) => text.includes('RACE-2'))).toBe(true);
      expect(seen.filter((text) => text.includes('RACE-1'))).toEqual([]);
      await page.getByRole('button', { name: 'Close patient' }).click();
    }
  });
});

interface Watched {
  seen: string[];
}

/** Records every text of the person's header. */
function watchNames(): void {
  const watched = window as unknown as Watched;
  watched.seen = [];
  new MutationObserver(() => {
    const header = document.querySelector('section[aria-label="Patient"]');
    if (header !== null) watched.seen.push(header.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

async function untilRequested(clientUserId: string): Promise<void> {
  await eventually(`a request for ${clientUserId}`, () =>
    Promise.resolve(waiting.get(clientUserId)),
  );
}
