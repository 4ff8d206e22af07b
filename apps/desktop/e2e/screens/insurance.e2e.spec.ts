import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { everything, insurance, nobodyFound } from '../support/answers.testing.ts';
import { eventually, saveAs } from '../support/desktop.testing.ts';
import {
  emptyTeam,
  json,
  primaryOnly,
  recordingBy,
  userOf,
} from '../support/fake-service.testing.ts';
import type { Responder } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const desk = signedInDesk();
const folder = temporaryFolder();

const audit = { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' };

function withInsurance(answer: Responder): Responder {
  return (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, userOf('MRN-1'));
    else if (url.includes('/insurance/')) answer(request, response);
    else emptyTeam(request, response);
  };
}

async function openInsurance(): Promise<void> {
  const { page } = desk;
  await page.keyboard.type('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Patient', exact: true }).getByText('MRN-1').waitFor();
  await page.keyboard.press('Control+3');
}

describe('a shortcut pressed before the name is known', () => {
  it.each([
    ['Control+p', 'Paper'],
    ['Control+b', 'Size'],
  ])('%s opens the panel with %s once, when the name arrives', async (shortcut, choice) => {
    let sendName = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      sendName = resolve;
    });
    desk.service.respondWith((request, response) => {
      // A search result would already have the name, so here the search finds nobody.
      if (request.url?.includes('/info/') !== true) nobodyFound(request, response);
      else {
        void released.then(() => {
          everything(request, response);
        });
      }
    });
    const { page } = desk;
    await openInsurance();
    await page.getByText('MEMBER-77').waitFor();
    expect(await page.getByRole('button', { name: 'Label Ctrl B' }).count()).toBe(0);
    await page.keyboard.press(shortcut);
    expect(await page.getByRole('dialog').count()).toBe(0);
    sendName();
    const panel = page.getByRole('dialog', { name: 'Print', exact: true });
    await panel.getByRole('radiogroup', { name: choice }).waitFor();
    await panel.getByText('exactly as').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+2');
    await page.keyboard.press('Control+3');
    await page.getByText('MEMBER-77').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('insurance', () => {
  it('shows the focus ring in the print panel, also if the mouse was used last', async () => {
    desk.service.respondWith(everything);
    const { page } = desk;
    await openInsurance();
    await page.getByText("The policyholder is the patient's spouse.").waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.keyboard.press('Control+p');
    const ring = page.locator('[role="dialog"] button:focus');
    await ring.waitFor();
    expect(await ring.evaluate((button) => getComputedStyle(button).outline)).toContain(
      'solid 2px',
    );
  });

  it('shows both, copies each as a block, and prints both', async () => {
    desk.service.respondWith(
      withInsurance((request, response) => {
        const isSecond = request.url?.includes('=false') === true;
        json(response, 200, isSecond ? { ...insurance, member_id: 'MEMBER-78' } : insurance, audit);
      }),
    );
    const { app, page } = desk.desktop;
    await openInsurance();
    const primary = page.getByRole('region', { name: 'Primary', exact: true });
    await primary.getByText('MEMBER-77').waitFor();
    await page
      .getByRole('region', { name: 'Secondary', exact: true })
      .getByText('MEMBER-78')
      .waitFor();
    await primary.getByRole('button', { name: 'Copy card' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied.split('\n').slice(0, 5)).toEqual([
      'Payer code: PAYOR-1',
      'Member ID: MEMBER-77',
      'Group ID: GROUP-5',
      'Policyholder: Grace Hopper',
      "The policyholder is the patient's spouse.",
    ]);
    const file = join(folder, 'both.pdf');
    await saveAs(desk.desktop, file);
    await page.keyboard.press('Control+p');
    const panel = page.getByRole('dialog', { name: 'Print' });
    await panel.getByRole('button', { name: 'Save PDF' }).click();
    await panel.getByText('Saved.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    expect(text).toMatch(/2 policies on file, as of[\s\S]*MEMBER-77[\s\S]*MEMBER-78/u);
  });

  it('stays while the service is busy, and disappears when a newer answer is invalid', async () => {
    // Of the primary insurance, in turn.
    const answers: Responder[] = [
      (request, response) => {
        primaryOnly(request, response, insurance, audit);
      },
      (_request, response) => {
        json(response, 429, {});
      },
      (_request, response) => {
        json(response, 200, { ...insurance, member_id: 5 });
      },
    ];
    desk.service.respondWith(
      withInsurance((request, response) => {
        const isSecondary = (request.url ?? '').includes('is_primary=false');
        const answer = isSecondary ? undefined : answers.shift();
        if (answer === undefined) primaryOnly(request, response, insurance, audit);
        else answer(request, response);
      }),
    );
    const { page } = desk;
    await openInsurance();
    const shown = page.locator('main').getByText('MEMBER-77');
    await shown.waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText(/^As of /u).waitFor();
    expect(await shown.count()).toBe(1);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('invalid response').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/PAYOR-1|MEMBER-77|GROUP-5/u);
  });
});

describe('a copy', () => {
  interface Recording {
    readonly body: Record<string, unknown>;
    /** Lets the service answer. */
    readonly answer: (status: number) => void;
  }
  const before = 'what was copied before';
  let recordings: Recording[];

  beforeEach(async () => {
    recordings = [];
    desk.service.respondWith(
      recordingBy((body, answer) => {
        recordings.push({ body, answer });
      }, everything),
    );
    await desk.desktop.app.evaluate(({ clipboard }, text) => clipboard.writeText(text), before);
    await openInsurance();
    await desk.page.getByRole('button', { name: 'Copy card' }).first().click();
  });

  const recorded = (): Promise<Recording> =>
    eventually('the record', () => Promise.resolve(recordings[0]));
  const readClipboard = (): Promise<string> =>
    desk.desktop.app.evaluate(({ clipboard }) => clipboard.readText());

  it('is recorded with its kind and document, and only then on the clipboard', async () => {
    const { body, answer } = await recorded();
    expect(body).toEqual({
      ...{ kind: 'copy', document: 'insurance' },
      record_ids: [audit['x-audit-record-id']],
    });
    expect(await readClipboard()).toBe(before);
    answer(201);
    await desk.page.getByText('Copied; cleared').first().waitFor();
    expect(await readClipboard()).toContain('Member ID: MEMBER-77');
    expect(recordings).toHaveLength(1);
  });

  it('that can’t be recorded keeps the clipboard and shows a warning', async () => {
    const { page } = desk;
    (await recorded()).answer(503);
    await page.getByText('Not copied').first().waitFor();
    expect(await readClipboard()).toBe(before);
    // Nothing else takes the warning away.
    await page.keyboard.press('Control+K');
    await page.getByText('Not copied').first().waitFor();
  });

  it('is not made if the desk is locked first', async () => {
    const { answer } = await recorded();
    await desk.page.evaluate(() => window.caregate.lock({}));
    answer(201);
    await desk.page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await readClipboard()).not.toContain('MEMBER-77');
  });
});
