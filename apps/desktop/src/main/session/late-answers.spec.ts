import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../bridge/problem.ts';
import { DeskStore } from '../staff/desk-store.ts';
import type { PersonSession } from '../staff/person-session.ts';
import { sealedByXor } from '../staff/sealed-file.testing.ts';
import { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DeskSession } from './desk-session.ts';
import { KeyStore } from './key-store.ts';

/** The service answers when the test says so: somebody has gone on meanwhile, and what comes late changes nothing for them. */
const address = 'https://caregate.example';
const current = '/access/sessions/current';
const request = {
  ...{ userId: '0b1e5d3c-8a55-4d0e-9d6c-0f8f7c1b2a3d', text: 'Unconscious, alone' },
  reasonCode: 'threat_to_health_or_safety' as const,
};

let folder: string;
let service: HeldService;
let desk: DeskSession;

class HeldService {
  readonly asked: string[] = [];
  readonly #answers: Record<string, () => Response>;
  readonly #held = new Map<string, Promise<Response>>();

  constructor() {
    const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const session = (name: string): Response =>
      Response.json({
        ...{ session: 'cg_sess_test', expires_at: later(600_000), ends_at: later(40_000_000) },
        ...{ pin_set: true, staff: { staff_id: name, name, role: 'clinician' } },
        desk: { desk_id: 'd-1', name: 'Desk 1' },
      });
    this.#answers = {
      'POST /access/desks': () => Response.json({ desk_id: 'd-1', name: 'Desk 1' }),
      'POST /access/sessions': () => session(this.next),
      [`POST ${current}/unlock`]: () => session(this.next),
      'POST /access/badges': () => Response.json({ staff_id: 'Ben' }),
      'POST /access/break-glass': () =>
        Response.json({ break_glass_id: 'g-1', expires_at: later(1_800_000) }, { status: 201 }),
    };
  }

  /** Who is signed in next. */
  next = 'Ann';

  readonly fetch = (url: string, init?: { readonly method?: string }): Promise<Response> => {
    const asked = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
    this.asked.push(asked);
    const held = this.#held.get(asked);
    this.#held.delete(asked);
    const answer = this.#answers[asked]?.() ?? new Response(null, { status: 204 });
    return held ?? Promise.resolve(answer);
  };

  /** The next answer to this waits until it is given. */
  hold(asked: string): (answer?: Response) => void {
    let give: (answer: Response) => void = () => undefined;
    this.#held.set(asked, new Promise((resolve) => (give = resolve)));
    const usual = this.#answers[asked];
    return (answer = usual?.()) => {
      give(answer ?? new Response(null, { status: 204 }));
    };
  }

  /** Once it was asked. */
  async was(asked: string): Promise<void> {
    while (!this.asked.includes(asked)) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The provider's part is `e2e/people`: here its page is over at once. */
class QuickBrowser extends StaffSignIn {
  override byBrowser(where: string): Promise<Outcome<PersonSession>> {
    return this.byKey(where, 'cg_live_any_secret');
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-late-'));
  service = new HeldService();
  const { fetch } = service;
  desk = new DeskSession({
    ...{ fetch, address, demo: undefined },
    staff: new QuickBrowser({
      ...{ fetch, store: new DeskStore(sealedByXor(), folder) },
      browser: { fetch, openBrowser: () => Promise.resolve(), language: () => 'en' },
    }),
    keyStore: new KeyStore(sealedByXor(), folder),
    onStatus: () => undefined,
    onConnection: () => undefined,
  });
  expect(await desk.people.enrolDesk({ address, code: 'ABCDE23456' })).toMatchObject({ ok: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const cancelled = { ok: false, problem: { kind: 'cancelled' } };

async function signIn(name: string): Promise<void> {
  service.next = name;
  expect(await desk.people.begin()).toMatchObject({ ok: true, value: { current: name } });
}

describe('a sign-in by the browser', () => {
  it('that was cancelled while the service made its session puts nobody at the desk', async () => {
    const answer = service.hold('POST /access/sessions');
    const begun = desk.people.begin();
    await service.was('POST /access/sessions');
    desk.people.cancel();
    answer();
    expect(await begun).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedOut', people: [] });
    expect(service.asked).toContain(`DELETE ${current}`);
  });

  it('that nobody makes is not cancelled by what unlocks the desk meanwhile', async () => {
    await signIn('Ann');
    desk.desk.lock('asked');
    const answer = service.hold(`POST ${current}/unlock`);
    const unlocked = desk.people.unlockWithPin({ staffId: 'Ann', pin: '135790' });
    await service.was(`POST ${current}/unlock`);
    desk.people.cancel();
    answer();
    expect(await unlocked).toMatchObject({ ok: true, value: { current: 'Ann' } });
  });
});

describe('emergency access', () => {
  it('that was cancelled while it was granted is ended, and opens nothing', async () => {
    await signIn('Ann');
    const answer = service.hold('POST /access/break-glass');
    const granted = desk.people.beginEmergency(request);
    await service.was('POST /access/break-glass');
    desk.people.cancel();
    answer();
    expect(await granted).toMatchObject(cancelled);
    expect(desk.desk.status().emergency).toBeUndefined();
    expect(service.asked).toContain('DELETE /access/break-glass/g-1');
  });

  it('that was granted is not ended by what is cancelled later', async () => {
    await signIn('Ann');
    expect(await desk.people.beginEmergency(request)).toMatchObject({ ok: true });
    expect(desk.people.cancel()).toMatchObject({ emergency: { breakGlassId: 'g-1' } });
  });
});

describe('the end of an earlier session', () => {
  it('takes nobody away who has signed in anew since', async () => {
    await signIn('Ann');
    const ended = service.hold(`POST ${current}/renew`);
    desk.desk.tick(Date.now() + 400_000);
    await service.was(`POST ${current}/renew`);
    desk.desk.lock('asked');
    await signIn('Ann');
    ended(Response.json({ type: '/problems/session-ended', status: 401 }, { status: 401 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });
});

describe('a badge', () => {
  it('whose holder is told late locks out nobody who came meanwhile', async () => {
    await signIn('Ann');
    desk.desk.lock('asked');
    await signIn('Ben');
    desk.desk.lock('asked');
    const answer = service.hold('POST /access/badges');
    const scanned = desk.people.scanBadge('B-1');
    await service.was('POST /access/badges');
    service.next = 'Ann';
    await desk.people.unlockWithPin({ staffId: 'Ann', pin: '135790' });
    answer();
    expect(await scanned).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });
});

describe('a saved key', () => {
  it('stays where the sign-in by another is over before the service answers', async () => {
    const keyStore = new KeyStore(sealedByXor(), folder);
    keyStore.stage(address, 'cg_live_saved_secret');
    keyStore.save();
    const answer = service.hold('POST /access/sessions');
    const begun = desk.keys.signIn({ address, key: 'cg_live_other_secret', saveKey: false });
    await service.was('POST /access/sessions');
    desk.desk.lock('suspend');
    answer();
    expect(await begun).toMatchObject(cancelled);
    expect(keyStore.load(address)).toBe('cg_live_saved_secret');
  });

  it('of somebody with a session is saved at their sign-out, and opens nothing once another came', async () => {
    const keyStore = new KeyStore(sealedByXor(), folder);
    const signInByKey = (): ReturnType<typeof desk.keys.signIn> =>
      desk.keys.signIn({ address, key: 'cg_live_ann_secret', saveKey: true });
    expect(await signInByKey()).toMatchObject({ ok: true, value: { current: 'Ann' } });
    expect(desk.desk.signOut('asked')).toMatchObject({ phase: 'signedOut', keySaved: true });
    expect(await desk.keys.signInWithSavedKey()).toMatchObject({ value: { current: 'Ann' } });
    desk.desk.lock('asked');
    await desk.people.unlockWithPin({ staffId: 'Ann', pin: '135790' });
    desk.desk.signOut('asked');
    expect(keyStore.load(address)).toBe('cg_live_ann_secret');

    await signIn('Ben');
    expect(keyStore.load(address)).toBeUndefined();
    desk.desk.signOut('asked');
    service.next = 'Ann';
    await signInByKey();
    desk.desk.lock('idle');
    expect(desk.desk.signOut('asked', 'Ann')).toMatchObject({ keySaved: false });
    expect(keyStore.load(address)).toBeUndefined();
  });
});
