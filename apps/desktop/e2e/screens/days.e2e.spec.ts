import { beforeEach, describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import type { Locator, Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { look } from '../support/desktop.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { openPerson } from '../support/states.testing.ts';
import { walkedDesk } from '../support/state-walk.testing.ts';

/** An invalid day is explained in words, visibly and to screen readers. */
let service: FakeService;
let page: Page;
/** Addresses of the requests for minutes. */
const requests: string[] = [];

walkedDesk((there) => ({ page, service } = there));
beforeEach(async () => {
  service.respondWith((request, response) => {
    if (request.url?.includes('mindfulness') === true) requests.push(request.url);
    everything(request, response);
  });
  await openPerson(page);
  await page.keyboard.press('Control+4');
  await page.getByText('20 sessions', { exact: true }).waitFor();
});

const field = (place: 0 | 1): Locator => page.locator('main form input').nth(place);

/** The visible texts that describe the field. */
async function described(place: 0 | 1): Promise<string> {
  return field(place).evaluate((input) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids
      .map((id) => document.getElementById(id))
      .map((element) => (element?.checkVisibility() === true ? element.textContent : ''))
      .join(' ')
      .trim();
  });
}

const isInvalid = (place: 0 | 1): Promise<string | null> =>
  field(place).getAttribute('aria-invalid');

const languages = {
  en: {
    pattern: 'MM/DD/YYYY',
    shown: '03/31/2026',
    incomplete: 'Type day, month and year in numbers: MM/DD/YYYY.',
    year: 'The year must be from 1900 to 2199.',
    noSuchDay: 'There is no such day. Check the day and the month.',
    reversed: '“From” is after “To”. Change one of them.',
    good: '03/05/2026',
  },
  es: {
    pattern: 'DD/MM/AAAA',
    shown: '31/03/2026',
    incomplete: 'Escriba día, mes y año con números: DD/MM/AAAA.',
    year: 'El año debe estar entre 1900 y 2199.',
    noSuchDay: 'Ese día no existe. Compruebe el día y el mes.',
    reversed: '«Desde» es posterior a «Hasta». Cambie una de las dos fechas.',
    good: '05/03/2026',
  },
  ar: {
    pattern: 'يوم/شهر/سنة',
    shown: '31/03/2026',
    incomplete: 'اكتب اليوم والشهر والسنة بالأرقام: يوم/شهر/سنة.',
    year: 'يجب أن تكون السنة من 1900 إلى 2199.',
    noSuchDay: 'لا يوجد يوم كهذا. تحقق من اليوم والشهر.',
    reversed: 'تاريخ «من» بعد تاريخ «إلى». غيّر أحدهما.',
    good: '05/03/2026',
  },
} as const;

const wrong = [
  ['31/31/2026', 'noSuchDay'],
  ['02/02/1899', 'year'],
  ['02/02/2200', 'year'],
  ['02/02', 'incomplete'],
  ['02/02/26', 'incomplete'],
  ['', 'incomplete'],
  ['soon', 'incomplete'],
] as const;

/** One language, by the seed, has all in both fields; the others one of each kind in one field. */
const inLanguages = (['en', 'es', 'ar'] as const).map((language, at) =>
  at === seed % 3
    ? { language, days: wrong, places: [0, 1] as const }
    : { language, days: [wrong[0], wrong[1], wrong[3]], places: [(at % 2) as 0 | 1] },
);

describe.each(inLanguages)('in $language, a day that is none', ({ language, days, places }) => {
  const texts = languages[language];

  it.each(places)('says what is wrong with it in field %i, until it is mended', async (place) => {
    await look(page, { theme: 'light', language });
    expect(await page.locator('main form').getByLabel(texts.pattern).count()).toBe(2);
    expect(await field(1).inputValue()).toBe(texts.shown);
    const before = requests.length;
    const good = await field(place).inputValue();
    for (const [typed, kind] of days) {
      await field(place).fill(typed);
      await field(place).press('Enter');
      await page.locator('main form').getByText(texts[kind], { exact: true }).waitFor();
      expect(await described(place)).toBe(texts[kind]);
      expect(await isInvalid(place)).toBe('true');
      await page.locator('main form button[type=submit]').click();
      expect(await field(place).evaluate((input) => input === document.activeElement)).toBe(true);
      await field(place).fill(good);
      expect([await described(place), await isInvalid(place)]).toEqual(['', null]);
    }
    expect(requests).toHaveLength(before);
    await field(0).fill(texts.good);
    await field(0).press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('canvas').length > 0);
    expect(requests).toHaveLength(before + 1);
    // From the first place on earth where the day begins.
    expect(decodeURIComponent(requests.at(-1)!)).toContain('2026-03-04T10:00');
  });

  it('isn’t told from half a day while it is typed, and is once the field is left', async () => {
    await look(page, { theme: 'light', language });
    await field(0).fill('02/0');
    expect([await described(0), await isInvalid(0)]).toEqual(['', null]);
    await page.keyboard.press('Tab');
    expect([await described(0), await isInvalid(0)]).toEqual([texts.incomplete, 'true']);
    await field(0).fill(texts.good);
    expect([await described(0), await isInvalid(0)]).toEqual(['', null]);
  });

  it('nor are two that are the wrong way round shown: both fields say so', async () => {
    await look(page, { theme: 'light', language });
    const before = requests.length;
    const last = await field(1).inputValue();
    await field(0).fill(last.replace('2026', '2027'));
    const said = page.getByRole('alert').getByText(texts.reversed, { exact: true });
    await said.waitFor();
    for (const place of [0, 1] as const) {
      expect([await described(place), await isInvalid(place)]).toEqual([texts.reversed, 'true']);
    }
    await field(0).press('Enter');
    await page.locator('main form button[type=submit]').click();
    expect(requests).toHaveLength(before);
    await field(1).fill(last.replace('2026', '2028'));
    await said.waitFor({ state: 'detached' });
    for (const place of [0, 1] as const) {
      expect([await described(place), await isInvalid(place)]).toEqual(['', null]);
    }
    await field(1).press('Enter');
    await page.locator('main p').first().waitFor();
    expect(requests).toHaveLength(before + 1);
  });
});
