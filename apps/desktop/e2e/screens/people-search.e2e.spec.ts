import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { everything, instead, refusing } from '../support/answers.testing.ts';
import { manyMarias, people, searchingAmong, tildas } from '../support/found-people.testing.ts';
import { eventually } from '../support/desktop.testing.ts';
import { json, userOf } from '../support/fake-service.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { findField } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

let page: Page;
let service: FakeService;
let requests: string[] = [];

const desk = signedInDesk(() => everything);
beforeEach(() => {
  ({ page, service } = desk);
  answerWith(everything);
  requests = [];
});

function answerWith(how: Responder): void {
  service.respondWith((request, response) => {
    requests.push(request.url ?? '');
    const id = /\/resolve\/(MRN-[2-8]|NAMELESS-8)$/u.exec(request.url ?? '')?.[1];
    if (id === undefined) {
      const isOthersInfo = /\/user\/(?!1)[^/]+\/info\//u.test(request.url ?? '');
      (isOthersInfo ? refusing(404) : how)(request, response);
      return;
    }
    const user_id = `${id.slice(-1).repeat(8)}-1111-4111-8111-111111111111`;
    json(response, 200, { ...userOf(id), user_id });
  });
}

const rows = (): Locator => page.getByRole('option');
const header = (): Locator => page.getByRole('region', { name: 'Patient', exact: true });
const waitForText = (text: string): Promise<void> => page.getByText(text).first().waitFor();

function among(...[some, counted]: Parameters<typeof searchingAmong>): void {
  answerWith(instead('/desk/people/search', searchingAmong(some, counted)));
}

const [ashgrove] = people;
const twoAshgroves = searchingAmong([
  ashgrove!,
  {
    ...ashgrove!,
    ...{ user_id: people[1]!['user_id'], client_user_id: 'MRN-2', birth_date: '1990-01-02' },
  },
]);

describe('how many are found', () => {
  it('is told of all, never of the page', async () => {
    among(manyMarias);
    await page.getByLabel(findField).fill('mar');
    await waitForText('8 of 143 patients');
    await page.getByRole('button', { name: 'Show more' }).click();
    await waitForText('20 of 143 patients');
    await waitForText('Type more to see the others.');
    expect(await rows().count()).toBe(20);
  });

  it('is told as more than so many, where the service stops to count', async () => {
    among(manyMarias, 121);
    await page.getByLabel(findField).fill('mar');
    await waitForText('8 of more than 120 patients');
  });
});

describe('people of one name and one birth date', () => {
  it('are told apart by phone or town: nobody is chosen until a row is', async () => {
    among(tildas);
    await page.getByLabel(findField).fill('tilda');
    await rows().first().waitFor();
    await waitForText('Nobody is chosen yet.');
    await page.keyboard.press('Enter');
    const pane = page.getByRole('region', { name: 'Confirm patient' });
    await pane.getByText('4 patients have this name and birth date').waitFor();
    await pane.getByText('Ask for phone or town.').waitFor();
    expect(await page.getByRole('option', { selected: true }).count()).toBe(0);
    expect(await header().count()).toBe(0);
    await pane.getByText('Nobody is chosen yet.').waitFor();
    await rows().nth(1).getByText('Yonkers, NY').waitFor();
    await rows().nth(4).getByText('DOB 03/07/1985 in another record').waitFor();
    await rows().nth(2).getByText('(212) 555-0109').waitFor();
    await rows().nth(1).click();
    await pane.getByRole('definition').getByText('(914) 555-0166').waitFor();
    await page.getByLabel(findField).press('Enter');
    await header().getByText('MRN-3').waitFor();
    await header().getByText('3 other patients have this name and birth date').waitFor();
  });
});

describe('the tasks of a desk', () => {
  it('a birth date in another order finds nobody, and the field says how it is typed', async () => {
    const searches = (): number => requests.filter((url) => url === '/desk/people/search').length;
    await page.getByLabel(findField).fill('13/12/1985');
    await page.keyboard.press('Enter');
    await waitForText('Type at least 3 letters, or a whole DOB, such as 3/7/85.');
    expect(searches()).toBe(0);
    await page.getByLabel(findField).fill('12/13/1985');
    await waitForText('Nobody found for “12/13/1985”.');
    expect(searches()).toBe(1);
  });

  it('Enter that comes before the rows opens a single person all the same', async () => {
    await page.getByLabel(findField).fill('ashg');
    await page.keyboard.press('Enter');
    await header().getByText('MRN-1').waitFor();
  });

  it('who was chosen while the list was replaced stays chosen, or nobody is', async () => {
    const answers: (() => void)[] = [];
    await page.getByLabel(findField).fill('amara');
    await rows().nth(1).waitFor();
    const search = searchingAmong(people.slice(2));
    answerWith((request, response) => {
      if (request.url !== '/desk/people/search') {
        everything(request, response);
        return;
      }
      answers.push(() => {
        search(request, response);
      });
    });
    const replaceList = async (typed: string): Promise<void> => {
      await page.getByLabel(findField).fill(typed);
      const answer = await eventually('the search', () => Promise.resolve(answers.pop()));
      await page.keyboard.press('ArrowDown');
      answer();
      await waitForText(`for “${typed}”`);
    };
    const selected = page.getByRole('option', { selected: true });
    // The first of the two is chosen, and is not in the next list.
    await replaceList('amara o');
    expect(await rows().count()).toBe(1);
    expect(await selected.count()).toBe(0);
    await page.keyboard.press('Enter');
    await waitForText('Choose a patient with ↑ ↓');
    expect(await header().count()).toBe(0);
    await replaceList('amara ok');
    expect(await selected.innerText()).toContain('MRN-3');
    await page.keyboard.press('Enter');
    await header().getByText('MRN-3').waitFor();
  });

  it('Enter beside a row of an earlier text opens nobody else, and a second Enter opens the only match', async () => {
    await page.getByLabel(findField).fill('ashg');
    await page.getByRole('option', { selected: true }).getByText('MRN-1').waitFor();
    const held: (() => void)[] = [];
    let isHeld = true;
    answerWith((request, response) => {
      if (isHeld && request.url === '/desk/people/search') {
        held.push(() => {
          everything(request, response);
        });
      } else everything(request, response);
    });
    await page.getByLabel(findField).fill('zofia');
    await page.keyboard.press('Enter');
    isHeld = false;
    for (const answer of held) answer();
    await waitForText('Press Enter again to open Zofia');
    expect(await header().count()).toBe(0);
    await page.keyboard.press('Enter');
    await header().getByText('MRN-6').waitFor();
  });

  it('the pane reads insurance and orders of somebody whose name another has too, once: Overview waits for the same answers', async () => {
    const isPrimary = (url = ''): boolean => /\/insurance\/.*is_primary=true/u.test(url);
    let release: (() => void) | undefined;
    answerWith((request, response) => {
      const answer = (): void => {
        everything(request, response);
      };
      if (isPrimary(request.url)) release = answer;
      else if (request.url?.startsWith('/desk/people/search') === true)
        twoAshgroves(request, response);
      else answer();
    });
    await page.getByLabel(findField).fill('ashg');
    await rows().first().click();
    const answer = await eventually('the insurance', () => Promise.resolve(release));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Primary' }).waitFor();
    answer();
    await page.locator('main').getByText('MEMBER-77').waitFor();
    expect(requests.filter(isPrimary)).toHaveLength(1);
    expect(requests.filter((url) => /\/orders(\?|$)/u.test(url))).toHaveLength(1);
  });
});

describe('without a search, Find', () => {
  const noSearch: Responder = (request, response) => {
    if (request.method === 'POST') refusing(501)(request, response);
    else refusing(404)(request, response);
  };

  it('warns of an id that looks like an email address or a phone number', async () => {
    answerWith(noSearch);
    await page.getByLabel(findField).fill('MRN');
    await waitForText("can't search by name");
    const warning = page.getByText('This looks like an email address or a phone number.');
    await page.getByLabel(findField).fill('amara@example.org');
    await warning.waitFor();
    await page.getByLabel(findField).fill('MRN-000101');
    await warning.waitFor({ state: 'detached' });
    await page.getByLabel(findField).fill('+1 555 010 9999');
    await warning.waitFor();
  });

  it('sends no name to anybody by an Enter before it is known', async () => {
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    answerWith((request, response) => {
      void mayAnswer.then(() => {
        noSearch(request, response);
      });
    });
    await page.getByLabel(findField).fill('Amara Okonkwo');
    await page.keyboard.press('Enter');
    answer();
    await waitForText("can't search by name");
    expect(requests.filter((url) => url.includes('/resolve/'))).toEqual([]);
  });
});
