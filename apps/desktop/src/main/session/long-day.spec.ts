import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Status } from '../../bridge/app-state.ts';
import { DeskStore } from '../staff/desk-store.ts';
import { sealedByXor } from '../staff/sealed-file.testing.ts';
import { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DeskSession } from './desk-session.ts';
import { KeyStore } from './key-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const address = 'https://caregate.example';
const began = Date.UTC(2026, 10, 22, 8);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-long-day-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A service with sessions of ten minutes and twelve hours at most, on a clock of its own. */
function service(): {
  now: number;
  readonly renewedAt: number[];
  readonly fetch: (url: string, init?: { method?: string }) => Promise<Response>;
} {
  const renewedAt: number[] = [];
  let expires = 0;
  let ends = 0;
  let people = 0;
  const session = (): Response => {
    expires = Math.min(made.now + 10 * minute, ends);
    const name = `Person ${people}`;
    return Response.json({
      session_id: 's-1',
      session: 'cg_sess_test',
      expires_at: new Date(expires).toISOString(),
      ends_at: new Date(ends).toISOString(),
      pin_set: true,
      staff: { staff_id: name, name, role: 'clinician' },
      desk: { desk_id: 'd-1', name: 'Desk 1' },
    });
  };
  const made = {
    now: began,
    renewedAt,
    fetch: (url: string): Promise<Response> => {
      const { pathname } = new URL(url);
      if (pathname === '/access/desks') {
        return Promise.resolve(Response.json({ desk_id: 'd-1', name: 'Desk 1' }));
      }
      if (pathname === '/access/sessions') {
        people += 1;
        ends = made.now + 12 * hour;
        return Promise.resolve(session());
      }
      if (pathname === '/access/sessions/current/renew') {
        if (made.now >= expires) {
          const problem = { type: '/problems/session-ended', title: 'Over', status: 401 };
          return Promise.resolve(Response.json(problem, { status: 401 }));
        }
        renewedAt.push(made.now);
        return Promise.resolve(session());
      }
      return Promise.resolve(new Response(null, { status: 204 }));
    },
  };
  return made;
}

/** Somebody who signed in with their key at an enrolled desk. */
async function atDesk(fetch: ReturnType<typeof service>['fetch']): Promise<{
  desk: DeskSession['desk'];
  told: Status[];
}> {
  const told: Status[] = [];
  const staff = new StaffSignIn({
    fetch,
    store: new DeskStore(sealedByXor(), folder),
    browser: { fetch, openBrowser: () => Promise.resolve(), language: () => 'en' },
  });
  const { desk, people, keys } = new DeskSession({
    ...{ fetch, staff, address, demo: undefined },
    keyStore: new KeyStore(sealedByXor(), folder),
    onStatus: (status) => told.push(status),
    onConnection: () => undefined,
  });
  expect(await people.enrolDesk({ address, code: 'ABCDE23456' })).toMatchObject({ ok: true });
  const signedIn = await keys.signIn({ address, key: 'cg_live_ann_secret', saveKey: false });
  expect(signedIn).toMatchObject({ ok: true, value: { current: 'Person 1' } });
  return { desk, told };
}

/** Until what a tick has asked for is answered. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a day at a desk', () => {
  it('is renewed in the second half of each ten minutes, and over after twelve hours', async () => {
    const clinic = service();
    const { desk, told } = await atDesk(clinic.fetch);
    expect(desk.endsAt).toBe(began + 12 * hour);
    for (; clinic.now < began + 12 * hour; clinic.now += minute) {
      desk.tick(clinic.now);
      await answered();
      expect(desk.phase).toBe('signedIn');
    }
    const gaps = clinic.renewedAt.map((at, place) => at - (clinic.renewedAt[place - 1] ?? began));
    expect(new Set(gaps.slice(0, -5))).toEqual(new Set([5 * minute]));
    desk.tick(clinic.now);
    expect(desk.status()).toMatchObject({ phase: 'signedOut', reason: 'limit', people: [] });
    expect(told.at(-1)).toEqual(desk.status());
    const renewals = clinic.renewedAt.length;
    desk.tick(clinic.now + hour);
    await answered();
    expect(clinic.renewedAt).toHaveLength(renewals);
  });

  it('ends where the computer slept longer than the session lasts, and says so', async () => {
    const clinic = service();
    const { desk } = await atDesk(clinic.fetch);
    clinic.now += 11 * minute;
    desk.tick(clinic.now);
    await answered();
    expect(desk.status()).toMatchObject({ phase: 'signedOut', reason: 'expired', people: [] });
  });

  it('is not renewed while it is locked, and ends at its limit all the same', async () => {
    const clinic = service();
    const { desk } = await atDesk(clinic.fetch);
    desk.lock('idle');
    clinic.now += 8 * minute;
    desk.tick(clinic.now);
    await answered();
    expect(clinic.renewedAt).toEqual([]);
    expect(desk.status()).toMatchObject({ phase: 'locked', chosen: 'Person 1' });
    clinic.now = began + 12 * hour;
    desk.tick(clinic.now);
    expect(desk.status()).toMatchObject({ phase: 'signedOut', reason: 'limit' });
  });
});
