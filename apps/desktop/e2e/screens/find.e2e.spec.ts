import { beforeEach, describe, expect, it } from '@jest/globals';
import { json } from '../support/fake-service.testing.ts';
import { findField } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

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
    json(response, 404, { type: '/problems/not-found', title: 'No', status: 404 });
  };
});

/** Searches are answered once it resolves. */
let mayAnswer = Promise.resolve();

describe('without a search, Find', () => {
  beforeEach(async () => {
    const { page } = desk.desktop;
    await page.getByLabel(findField).fill('MRN');
    await page.getByText("can't search by name").waitFor();
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
