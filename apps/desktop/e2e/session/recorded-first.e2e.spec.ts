import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { eventually } from '../support/desktop.testing.ts';
import { recordingBy } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

/** A copy is recorded before it is on the clipboard. */
interface Told {
  readonly body: Record<string, unknown>;
  /** Lets the service answer. */
  readonly answer: (status: number) => void;
}
let told: Told | undefined;
let records = 0;
const record = '9f4c2a7be1d05836c7a41f0e5b8d2963';
const before = 'what was copied before';

const desk = signedInDesk(() =>
  recordingBy((body, answer) => {
    records += 1;
    told = { body, answer };
  }, everything),
);
beforeEach(async () => {
  told = undefined;
  records = 0;
  const { app, page } = desk.desktop;
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), before);
  await page.keyboard.insertText('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
});

const awaited = (): Promise<Told> => eventually('the record', () => Promise.resolve(told));
const clipboard = (): Promise<string> =>
  desk.desktop.app.evaluate(({ clipboard: kept }) => kept.readText());

describe('a copy', () => {
  const copyAll = async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+3');
    await page.getByRole('button', { name: 'Copy card' }).first().click();
  };

  it('is recorded with its kind and document, and only then on the clipboard', async () => {
    const { page } = desk.desktop;
    await copyAll(page);
    const { body, answer } = await awaited();
    expect(body).toEqual({ kind: 'copy', document: 'insurance', record_ids: [record] });
    expect(await clipboard()).toBe(before);
    answer(201);
    await page.getByText('Copied; cleared').first().waitFor();
    expect(await clipboard()).toContain('Member ID: MEMBER-77');
    expect(records).toBe(1);
  });

  it('that can’t be recorded keeps the clipboard and shows a warning', async () => {
    const { page } = desk.desktop;
    await copyAll(page);
    (await awaited()).answer(503);
    await page.getByText('Not copied').first().waitFor();
    expect(await clipboard()).toBe(before);
    // Nothing else takes the warning away.
    await page.keyboard.press('Control+K');
    await page.getByText('Not copied').first().waitFor();
  });

  it('is not made if the desk is locked first', async () => {
    const { page } = desk.desktop;
    await copyAll(page);
    const { answer } = await awaited();
    await page.evaluate(() => window.caregate.lock({}));
    answer(201);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await clipboard()).not.toContain('MEMBER-77');
  });
});
