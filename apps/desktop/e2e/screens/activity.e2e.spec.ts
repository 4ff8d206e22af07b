import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { emptyTeam, json, userOf } from '../support/fake-service.testing.ts';
import type { Responder } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { plain } from '../support/state-walk.testing.ts';
import { violations } from '../support/violations.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';
import { eventually, saveAs } from '../support/desktop.testing.ts';

const desk = signedInDesk();
const folder = temporaryFolder();

const person = {
  ...userOf('MRN-1'),
  ingestion_start: '2026-03-01',
  ingestion_end: '2026-03-31',
};

function withMinutes(answer: Responder): Responder {
  return (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, person);
    else if (url.includes('mindfulness')) answer(request, response);
    else emptyTeam(request, response);
  };
}

const point = (start: string, value: number): unknown => ({
  start,
  end: start,
  unit: 'min',
  value,
});
const pageOf = (points: unknown[], type: string, cursor: string | null): unknown => ({
  groups: { fitbit: [{ source: { provider: 'fitbit', type }, data: points }] },
  next_cursor: cursor,
});

async function openActivity(): Promise<void> {
  const { page } = desk.desktop;
  await page.keyboard.type('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Person' }).getByText('MRN-1').waitFor();
  await page.keyboard.press('Control+4');
}

const rows = (): Promise<string[]> =>
  desk.desktop.page
    .locator('tr[data-day]')
    .evaluateAll((all) =>
      all.map((row) => `${row.getAttribute('data-day')!} ${row.getAttribute('data-minutes')!}`),
    );

describe('activity', () => {
  it('counts each session once, by the clock that was chosen, in a table that equals the data', async () => {
    const requests: string[] = [];
    desk.service.respondWith(
      withMinutes((request, response) => {
        const url = new URL(request.url ?? '', 'http://service');
        // Overview has asked for a shorter time.
        if (url.search.includes('2026-02-28')) requests.push(url.search);
        const isFirst = url.searchParams.get('next_cursor') === null;
        json(
          response,
          200,
          isFirst
            ? pageOf(
                [point('2026-03-28T23:30:00-01:00', 10), point('2026-03-29T04:00:00+02:00', 5.5)],
                'watch',
                'page-2',
              )
            : pageOf([point('2026-03-29T12:00:00+02:00', 4)], 'watch', null),
        );
      }),
    );
    const { page } = desk.desktop;
    await openActivity();
    await page.getByText('3 sessions', { exact: true }).waitFor();
    expect(requests).toHaveLength(2);
    await page.getByRole('button', { name: 'View as table' }).press('Enter');
    expect(await rows()).toEqual(['2026-03-28 10', '2026-03-29 9.5']);
    // The person's zone is Europe/Berlin, whose clocks change on that day.
    await page.getByRole('radio', { name: 'the person (Europe/Berlin)' }).click();
    expect(await rows()).toEqual(['2026-03-29 19.5']);
    await page.getByText('Clock change').waitFor();
    await page.getByRole('button', { name: /^Sessions of/u }).press('Enter');
    await page.getByText('2026-03-28T23:30:00-01:00').first().waitFor();
    const painted = await page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')!.getImageData(0, 0, width, height).data;
      return pixels.some((value) => value > 0);
    });
    expect(painted).toBe(true);
  });

  it('says a day’s value by key, has names of sources, and saves all of it as CSV', async () => {
    const file = join(folder, 'activity.csv');
    desk.service.respondWith(
      withMinutes((_request, response) => {
        const source = { provider: 'apple_health_kit', type: '=cmd|calc' };
        const data = [point('2026-03-10T08:00:00Z', 0.1), point('2026-03-12T08:00:00Z', 7)];
        json(response, 200, {
          groups: { apple_health_kit: [{ source, data }] },
          next_cursor: null,
        });
      }),
    );
    const { page } = desk.desktop;
    await saveAs(desk.desktop, file);
    await openActivity();
    await page.getByRole('heading', { name: 'Apple HealthKit, =cmd|calc' }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    await page.getByText('Thu, 03/12/2026: 7 min, 1 session').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Tue, 03/10/2026: 0.1 min, 1 session').first().waitFor();
    await page.getByRole('button', { name: '30 days' }).press('Enter');
    await page.getByText('2 sessions', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save as CSV' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(readFileSync(file, 'utf8').split('\r\n').slice(1, 3)).toEqual([
      "2026-03-10,apple_health_kit,'=cmd|calc,2026-03-10T08:00:00Z,2026-03-10T08:00:00Z,0.1,min",
      "2026-03-12,apple_health_kit,'=cmd|calc,2026-03-12T08:00:00Z,2026-03-12T08:00:00Z,7,min",
    ]);
  });

  it('whose pages go on and on can be stopped, and is marked as partial', async () => {
    let pages = 0;
    desk.service.respondWith(
      withMinutes((_request, response) => {
        pages += 1;
        const cursor = `page-${String(pages)}`;
        setTimeout(() => {
          json(response, 200, pageOf([point('2026-03-10T08:00:00Z', 1)], 'watch', cursor));
        }, 40);
      }),
    );
    const { page } = desk.desktop;
    await openActivity();
    await page.getByText(/^[3-9]\d* sessions so far$/u).waitFor();
    await page.getByText('Partial data').waitFor();
    await page.locator('main').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Cancelled.').waitFor();
    // Overview's own, which was left before, may go on for half a second; without the cancel there would be no end.
    for (let before = -1; before !== pages;) {
      before = pages;
      await page.waitForTimeout(1000);
    }
    await page.getByText('Partial data').waitFor();
    expect(await violations(page, [plain])).toEqual([]);
  });

  it('whose cursor comes again is an invalid response', async () => {
    desk.service.respondWith(
      withMinutes((_request, response) => {
        json(response, 200, pageOf([point('2026-03-10T08:00:00Z', 1)], 'watch', 'same'));
      }),
    );
    await openActivity();
    await desk.desktop.page.getByText('The service sent an invalid response.').waitFor();
  });

  it('explains a day that is none, and two the wrong way round, at their fields, and asks for neither', async () => {
    let asked = 0;
    desk.service.respondWith(
      withMinutes((_request, response) => {
        asked += 1;
        json(response, 200, pageOf([point('2026-03-10T08:00:00Z', 1)], 'watch', null));
      }),
    );
    const { page } = desk.desktop;
    await openActivity();
    await page.getByText('1 session', { exact: true }).waitFor();
    const before = asked;
    const [from, to] = [0, 1].map((at) => page.locator('main form input').nth(at)) as [
      Locator,
      Locator,
    ];
    /** The visible texts that describe the field, and whether it is marked as wrong. */
    const described = (field: Locator): Promise<unknown[]> =>
      field.evaluate((input) => [
        (input.getAttribute('aria-describedby')?.split(' ') ?? [])
          .map((id) => document.getElementById(id))
          .map((one) => (one?.checkVisibility() === true ? one.textContent : ''))
          .join(''),
        input.getAttribute('aria-invalid'),
      ]);
    // Half a day is none while it is typed, and is once the field is left.
    await from.fill('02/0');
    expect(await described(from)).toEqual(['', null]);
    await page.keyboard.press('Tab');
    const incomplete = 'Type day, month and year in numbers: MM/DD/YYYY.';
    expect(await described(from)).toEqual([incomplete, 'true']);
    await from.fill('31/31/2026');
    await page.locator('main form button[type=submit]').click();
    const noSuchDay = 'There is no such day. Check the day and the month.';
    expect(await described(from)).toEqual([noSuchDay, 'true']);
    await from.and(page.locator(':focus')).waitFor();
    await from.fill('03/31/2027');
    const reversed = '“From” is after “To”. Change one of them.';
    await page.getByRole('alert').getByText(reversed, { exact: true }).waitFor();
    for (const field of [from, to]) expect(await described(field)).toEqual([reversed, 'true']);
    await from.press('Enter');
    expect(asked).toBe(before);
    await from.fill('03/05/2026');
    for (const field of [from, to]) expect(await described(field)).toEqual(['', null]);
    await from.press('Enter');
    await eventually('the question', () => Promise.resolve(asked > before || undefined));
  });
});
