import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Status } from '../../src/shared/app-state.ts';
import { DeskKey } from '../../src/main/staff/desk-key.ts';
import { filesUnder, launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { catchBrowser, clickOn, launchEnrolled, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { runCaregate } from '../support/service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** What a thief can take from a desk at work: what is on its disk, and what its requests carry. */
let clinic: Clinic;
let desktop: Desktop;

beforeAll(async () => {
  clinic = await startClinic();
  desktop = await launchEnrolled(clinic, { userData });
  const signingIn = desktop.page.evaluate(() => window.caregate.beginSignIn({}));
  await clickOn(clinic, desktop.app, 'clinician');
  expect(await signingIn).toMatchObject({ ok: true });
});
afterAll(async () => {
  await desktop.close();
  await clinic.stop();
});
// After the hook that ends what writes there.
const [userData, stolen] = [temporaryFolder(), temporaryFolder()];

async function statusOf({ page }: Desktop): Promise<Status> {
  const answer = await page.evaluate(() => window.caregate.state({}));
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value.status;
}

const read = (page: Page): Promise<unknown> =>
  page.evaluate(
    (id) =>
      window.caregate.read({
        ...{ operation: 'latestInsurance', call: 'i' },
        params: { userId: id, isPrimary: true },
      }),
    clinic.service.sample.user_id,
  );

interface Carried {
  readonly url: string;
  readonly authorization: string;
  readonly dpop: string;
}

/** What the desk's own next read carries on the wire. */
async function overheard(): Promise<Carried> {
  // Listening first: the read may be faster than a listener that is still being set.
  const heard = await desktop.app.evaluateHandle(({ session }) => {
    const { webRequest } = session.fromPartition('caregate-service', { cache: false });
    const requests: Carried[] = [];
    webRequest.onBeforeSendHeaders(({ url, requestHeaders }, go) => {
      const named = (wanted: string): string =>
        Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
      if (url.includes('/insurance/')) {
        requests.push({ url, authorization: named('authorization'), dpop: named('dpop') });
      }
      go({ requestHeaders });
    });
    return requests;
  });
  expect(await read(desktop.page)).toMatchObject({ ok: true });
  const [carried] = await heard.jsonValue();
  await desktop.app.evaluate(({ session }) => {
    session
      .fromPartition('caregate-service', { cache: false })
      .webRequest.onBeforeSendHeaders(null);
  });
  expect(carried).toBeDefined();
  return carried!;
}

it('a session that was overheard reads nothing by another desk, enrolled or not', async () => {
  const { url, authorization, dpop } = await overheard();
  const token = authorization.replace(/^DPoP /u, '');
  expect(token).toMatch(/^cg_sess_/u);
  const thief = DeskKey.generate();
  const [first] = JSON.parse(
    await runCaregate('staff', 'list', '--data', clinic.dataDir, '--json'),
  ) as [{ team_id: string }];
  const words = [
    '--team',
    first.team_id,
    '--name',
    "The thief's desk",
    '--data',
    clinic.dataDir,
    '--json',
  ];
  const { code } = JSON.parse(await runCaregate('desks', 'enrol', ...words)) as { code: string };
  const ask = async (headers: Record<string, string>): Promise<readonly [number, boolean]> => {
    const answer = await fetch(url, { headers });
    return [answer.status, (await answer.text()).includes('member_id')];
  };
  const tries = {
    'the same once more': { authorization, dpop },
    'without a proof': { authorization },
    'as a bearer': { authorization: `Bearer ${token}`, dpop },
    'as a key': { 'x-service-api-key': token },
    "the thief's own proof": { authorization, dpop: thief.createProof('GET', url, token) },
  };
  for (const [how, headers] of Object.entries(tries)) {
    expect([how, ...(await ask(headers))]).toEqual([how, 401, false]);
  }
  const desks = `${clinic.service.address}/access/desks`;
  const enrolled = await fetch(desks, {
    method: 'POST',
    headers: { 'content-type': 'application/json', dpop: thief.createProof('POST', desks) },
    body: JSON.stringify({ code }),
  });
  expect(enrolled.ok).toBe(true);
  const byDesk = { authorization, dpop: thief.createProof('GET', url, token) };
  expect(await ask(byDesk)).toEqual([401, false]);
  expect(await read(desktop.page)).toMatchObject({ ok: true });
});

it("a desk's folder on another computer is no desk there, and opens nothing", async () => {
  // While somebody is at it: there is never more on the disk.
  for (const [path, content] of filesUnder(userData)) {
    if (/Singleton|lockfile/u.test(path)) continue;
    const copy = join(stolen, relative(userData, path));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, content);
  }
  const taken = filesUnder(stolen).map(([path, content]) => [path, content.toString('latin1')]);
  expect(taken.map(([path]) => path)).toContain(join(stolen, 'desk'));
  expect(taken.filter(([, text]) => /eyJ[\w-]+\.eyJ|cg_sess_|"kty"/u.test(text!))).toEqual([]);

  const other = await launch({
    userData: stolen,
    stubs: true,
    env: { DESKTOP_KEY_STORE: 'another' },
  });
  try {
    await catchBrowser(other.app);
    expect(await statusOf(other)).toMatchObject({
      ...{ phase: 'signedOut', enrolled: false, people: [] },
      // What they took does say where it came from.
      address: clinic.service.address,
    });
    expect(await read(other.page)).toMatchObject({ problem: { kind: 'signedOut' } });
    const signIn = await other.page.evaluate(() => window.caregate.beginSignIn({}));
    expect(signIn).toMatchObject({ problem: { kind: 'notEnrolled' } });
  } finally {
    await other.close();
  }
  // With the key store of the desk itself it is one: the folder was whole.
  const same = await launch({ userData: stolen, stubs: true });
  try {
    expect(await statusOf(same)).toMatchObject({ phase: 'signedOut', enrolled: true, people: [] });
    expect(await read(same.page)).toMatchObject({ problem: { kind: 'signedOut' } });
  } finally {
    await same.close();
  }
});
