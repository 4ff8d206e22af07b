import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, filesUnder, readClipboards } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import {
  emptyTeam,
  json,
  startFake,
  userOf,
  primaryOnly,
} from '../support/fake-service.testing.ts';
import { PIN } from '../support/fake-sign-in.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { findField, signOut } from '../support/steps.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';
import { signIn } from '../support/signed-in-desk.testing.ts';

let desktop: Desktop;
let service: FakeService;
const order = 'ca4a4900-0000-4000-9000-0000000ca4a4';

/** Each is found in one place of a patient's data, and nowhere else in the world. */
const canaries = [
  'CANARYCLIENT0001',
  'ca4a4911',
  order,
  'CANARYMEMBER',
  'CANARYGROUP',
  'CANARYSUBSCRIBER',
  'CANARYPATIENT',
  'CANARYRESULT',
  'CANARYPROVIDER',
  'CANARYNAME',
] as const;
const [client, , , member] = canaries;
const userId = 'ca4a4911-1111-4111-8111-111111111111';

startedDesk(startFake, (there) => {
  ({ desktop, service } = there);
  const user = { ...userOf(client), user_id: userId };
  service.respondWith((request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, user);
    else if (url.includes('/insurance/')) primaryOnly(request, response, insurance);
    else if (url.includes(order)) json(response, 200, lab);
    else if (url.includes('mindfulness')) json(response, 200, minutes);
    else if (url.startsWith('/desk/people/search')) json(response, 200, found);
    else emptyTeam(request, response);
  });
});

const found = {
  people: [
    {
      ...{ user_id: userId, client_user_id: client, name: 'CANARYNAME', name_source: 'info' },
      ...{ last_seen: '2026-11-09', matched: 'id' },
    },
  ],
  searched: 'people',
  total: 1,
  more: false,
};
const insurance = {
  payor_code: 'PAYOR-1',
  member_id: member,
  group_id: 'CANARYGROUP',
  relationship: 'Spouse',
  insured: { first_name: 'Ada', last_name: 'CANARYSUBSCRIBER', dob: '1985-03-07' },
};
const lab = {
  metadata: { patient: 'CANARYPATIENT' },
  results: [{ name: 'Sodium', slug: 'sodium', result: 'CANARYRESULT' }],
};
const now = new Date().toISOString();
const point = { start: now, end: now, unit: 'min', value: 10 };
const minutes = {
  groups: {
    CANARYPROVIDER: [{ source: { provider: 'CANARYPROVIDER', type: 'watch' }, data: [point] }],
  },
  next_cursor: null,
};

beforeEach(() => signIn(desktop, service));

/** Shows everything there is of the patient, and leaves some of it wherever it can be left. */
async function seeEverything(): Promise<void> {
  const { page } = desktop;
  await page.getByLabel(findField).fill(client);
  await page.getByRole('option', { name: 'CANARYNAME' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('CANARYPROVIDER').waitFor();
  await page.keyboard.press('Control+2');
  await page.getByLabel('Order number', { exact: true }).fill(order);
  await page.keyboard.press('Enter');
  await page.getByText('CANARYRESULT').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByText(member).waitFor();
  await page.keyboard.press('Control+p');
  await page.getByText('exactly as').waitFor();
  await page.getByRole('dialog').getByRole('img').first().locator('canvas').waitFor();
  await page.keyboard.press('Escape');
  // By the keys, as people copy, and by selecting alone, as Linux does.
  await page.getByText(member).click({ clickCount: 3 });
  await page.keyboard.press('Control+c');
  await untilCopied();
}

/** Clipboard and selection are written by another process than the page's. */
async function untilCopied(): Promise<void> {
  await eventually('the copy', async () => {
    const [text, selected] = await readClipboards(desktop.app);
    return text.trim() === member && selected.trim() === member ? true : undefined;
  });
}

/** Where a patient's data is left, by the names of the places. */
async function remains(): Promise<string[]> {
  const { page, app, userData } = desktop;
  const windows = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => `${one.getTitle()} ${one.webContents.getURL()}`),
  );
  const ofPage = await page.evaluate(() => ({
    title: document.title,
    storage: JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state,
    ]),
    fields: Array.from(document.querySelectorAll('input'), ({ value }) => value).join(),
    measures: JSON.stringify(performance.getEntries()),
  }));
  const [text, selected] = await readClipboards(app);
  const places = new Map<string, string | Buffer>([
    ['DOM', await page.content()],
    ['windows', windows.join()],
    ['clipboard', text],
    ['selection', selected],
    ...Object.entries(ofPage),
    ...filesUnder(userData),
    ...(await memory()),
  ]);
  return [...places].flatMap(([place, content]) =>
    canaries.filter((canary) => holds(content, canary)).map((canary) => `${place}: ${canary}`),
  );
}

/** Whatever can still be reached in the page's memory and in main's, as text: each string stands in a heap snapshot. */
async function memory(): Promise<Map<string, string>> {
  const { page, app } = desktop;
  // The page's engine keeps the last text that was searched: the test's own search for people before.
  await page.getByText('of the test').count();
  const ofPage: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => ofPage.push(chunk));
  await devtools.send('HeapProfiler.takeHeapSnapshot');
  await devtools.detach();
  const file = join(tmpdir(), `caregate-main-${process.pid}.heapsnapshot`);
  await app.evaluate((_electron, to) => {
    process.getBuiltinModule('node:v8').writeHeapSnapshot(to);
  }, file);
  const ofMain = readFileSync(file, 'utf8');
  rmSync(file);
  return new Map([
    ['memory of the page', ofPage.join('')],
    ['memory of main', ofMain],
  ]);
}

function holds(content: string | Buffer, canary: string): boolean {
  if (typeof content === 'string') return content.toLowerCase().includes(canary.toLowerCase());
  return content.includes(canary) || content.includes(Buffer.from(canary, 'utf16le'));
}

it('keeps a PIN that is typed out of the page', async () => {
  const { page } = desktop;
  const field = page.locator('input[type=password]');
  await page.keyboard.press('Control+l');
  await field.fill('902817');
  expect(await page.content()).not.toContain('902817');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong PIN.').waitFor();
  expect(await page.content()).not.toContain('902817');
  await page.evaluate(() => window.caregate.signOut({}));
});

describe('leaves nothing of a patient', () => {
  it('after the lock', async () => {
    await seeEverything();
    // The search itself finds what is there.
    const before = await remains();
    expect(before).toEqual(
      expect.arrayContaining([
        `DOM: ${client}`,
        ...['clipboard', 'selection', 'memory of the page', 'memory of main'].map(
          (place) => `${place}: ${member}`,
        ),
      ]),
    );
    await desktop.page.keyboard.press('Control+l');
    await desktop.page.getByRole('heading', { name: 'Locked' }).waitFor();
    // For the return of the same person.
    expect(await remains()).toEqual([`memory of main: ${client}`]);
    await desktop.page.locator('input[type=password]').fill(PIN);
    await desktop.page.keyboard.press('Enter');
    await desktop.page.getByText(member).waitFor();
    await desktop.page.getByRole('button', { name: 'Close patient' }).click();
    await desktop.page.getByRole('heading', { name: 'Search' }).waitFor();
    await desktop.page.keyboard.press('Control+l');
    await desktop.page.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await remains()).toEqual([]);
    await desktop.page.locator('input[type=password]').fill(PIN);
    await desktop.page.keyboard.press('Enter');
    await desktop.page.getByText('Nobody yet.').waitFor();
    await desktop.page.evaluate(() => window.caregate.signOut({}));
  });

  it('after the sign-out', async () => {
    await seeEverything();
    await signOut(desktop.page);
    await desktop.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await remains()).toEqual([]);
    // Nor is the session's token anywhere on the disk.
    const files = filesUnder(desktop.userData);
    expect(files.filter(([, content]) => holds(content, 'cg_sess_'))).toEqual([]);
  });
});
