import { beforeEach, describe, expect, it } from '@jest/globals';
import { json, userOf } from '../support/fake-service.testing.ts';
import { findField } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

const total = 10_000;
const paths: string[] = [];
const desk = signedInDesk((service) => {
  paths.length = 0;
  return (request, response) => {
    const url = new URL(request.url ?? '', service.address);
    paths.push(url.pathname);
    if (request.method === 'POST') {
      void mayAnswer.then(() => {
        json(response, 501, { type: '/problems/not-offered', title: 'No', status: 501 });
      });
      return;
    }
    if (url.pathname.startsWith('/v2/user/resolve/')) {
      json(response, 404, { type: '/problems/not-found', title: 'No', status: 404 });
      return;
    }
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? 100);
    const users = Array.from({ length: Math.min(limit, total - offset) }, (_, index) =>
      listed(offset + index),
    );
    json(response, 200, { users, total, offset, limit });
  };
});

/** Searches are answered once it resolves. */
let mayAnswer = Promise.resolve();

function listed(number: number): Record<string, unknown> {
  const digits = String(number).padStart(6, '0');
  return {
    ...userOf(`MRN-${digits}`),
    user_id: `11111111-1111-4111-8111-000000${digits}`,
  };
}

async function showList(): Promise<void> {
  const { page } = desk.desktop;
  await page.getByLabel(findField).fill('MRN');
  await page.getByText("can't search by name").waitFor();
  await page.getByLabel(findField).fill('');
}

describe('the list under Find', () => {
  beforeEach(showList);

  it('says how much of the team was searched, and searches more', async () => {
    const { page } = desk.desktop;
    await page
      .getByText(/^The first 50 of 500 patients\. 500 of 10,000 patients searched\./u)
      .waitFor();
    await page.getByLabel(findField).fill('009999');
    await page.getByText('0 patients. 500 of 10,000 patients searched.').waitFor();
    await page.getByText('No matching IDs among those searched.').waitFor();
    await page.getByLabel(findField).fill('000999');
    await page.getByRole('button', { name: 'Search more' }).click();
    await page.getByText('1 patient. 1,000 of 10,000 patients searched.').waitFor();
    await page.getByRole('row', { name: 'MRN-000999' }).waitFor();
  });

  it('warns of an id that looks like an email address or a phone number', async () => {
    const { page } = desk.desktop;
    const warning = page.getByText('This looks like an email address or a phone number.');
    await page.getByLabel(findField).fill('amara@example.org');
    await warning.waitFor();
    await page.getByLabel(findField).fill('MRN-000101');
    await warning.waitFor({ state: 'detached' });
    await page.getByLabel(findField).fill('+1 555 010 9999');
    await warning.waitFor();
  });
});

describe('Enter before it is known that the service can’t search', () => {
  async function enter(text: string): Promise<void> {
    const { page } = desk.desktop;
    let answer = (): void => undefined;
    mayAnswer = new Promise((resolve) => {
      answer = resolve;
    });
    await page.getByLabel(findField).fill(text);
    await page.keyboard.press('Enter');
    answer();
  }

  it('sends no name to anybody', async () => {
    await enter('Amara Okonkwo');
    await desk.desktop.page.getByText("can't search by name").waitFor();
    expect(paths.filter((url) => url.includes('/resolve/'))).toEqual([]);
  });
});
