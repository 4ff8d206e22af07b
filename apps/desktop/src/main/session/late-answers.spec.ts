import { describe, expect, it } from '@jest/globals';
import { sealedByXor } from '../files/sealed-by-xor.testing.ts';
import type { DeskSession } from './desk-session.ts';
import {
  address,
  anewForEach,
  cancelled,
  current,
  refusal,
  signInAs,
} from './held-service.testing.ts';
import type { HeldService } from './held-service.testing.ts';
import { KeyStore } from './key-store.ts';

/** The service answers when the test says so: somebody has gone on meanwhile, and what comes late changes nothing for them. */
let folder: string;
let service: HeldService;
let desk: DeskSession;

anewForEach((made) => {
  ({ folder, service, desk } = made);
});

const signIn = (name: string): Promise<void> => signInAs({ service, desk }, name);

describe('a sign-in by the browser', () => {
  it('that was cancelled while the service made its session puts nobody at the desk', async () => {
    const answer = service.hold('POST /access/sessions');
    const begun = desk.people.begin();
    await service.was('POST /access/sessions');
    desk.people.cancel();
    answer();
    expect(await begun).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedOut', people: [] });
    expect(service.requests).toContain(`DELETE ${current}`);
  });

  it('is under way until the service has answered, and not only at the provider’s page', async () => {
    for (const refused of [undefined, refusal(403, 'sign-in-refused')]) {
      expect(desk.people.isBeginning).toBe(false);
      const answer = service.hold('POST /access/sessions');
      const asked = service.count('POST /access/sessions');
      const begun = desk.people.begin();
      await service.was('POST /access/sessions', asked + 1);
      expect(desk.people.isBeginning).toBe(true);
      answer(refused);
      expect(await begun).toMatchObject({ ok: refused === undefined });
      expect(desk.people.isBeginning).toBe(false);
      desk.desk.lock('asked');
    }
  });

  it('that nobody makes is not cancelled by what unlocks the desk meanwhile', async () => {
    await signIn('Ann');
    desk.desk.lock('asked');
    const answer = service.hold(`POST ${current}/unlock`);
    const unlocked = desk.people.unlockSession({ staffId: 'Ann', pin: '135790' });
    await service.was(`POST ${current}/unlock`);
    desk.people.cancel();
    answer();
    expect(await unlocked).toMatchObject({ ok: true, value: { current: 'Ann' } });
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
    const scanned = desk.people.readBadge('B-1');
    await service.was('POST /access/badges');
    service.next = 'Ann';
    await desk.people.unlockSession({ staffId: 'Ann', pin: '135790' });
    answer();
    expect(await scanned).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });

  it('locks out nobody either whose PIN was typed before it was scanned', async () => {
    await signIn('Ben');
    desk.desk.lock('asked');
    await signIn('Ann');
    desk.desk.lock('asked');
    const unlock = service.hold(`POST ${current}/unlock`);
    const badge = service.hold('POST /access/badges');
    const unlocked = desk.people.unlockSession({ staffId: 'Ann', pin: '135790' });
    const scanned = desk.people.readBadge('B-1');
    await service.was(`POST ${current}/unlock`);
    await service.was('POST /access/badges');
    unlock();
    expect(await unlocked).toMatchObject({ ok: true, value: { current: 'Ann' } });
    badge();
    expect(await scanned).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });
});

describe('a staff key', () => {
  const key = 'cg_live_ann_secret';
  const signInByKey = (): ReturnType<typeof desk.keys.signIn> =>
    desk.keys.signIn({ address, key, saveKey: false });

  it('that came to the desk is not looked past by a badge scanned before', async () => {
    service.hold('POST /access/sessions')(refusal(404, 'not-found'));
    const answer = service.hold('GET /v2/user/');
    const badge = service.hold('POST /access/badges');
    const begun = signInByKey();
    await service.was('GET /v2/user/');
    const scanned = desk.people.readBadge('B-1');
    await service.was('POST /access/badges');
    answer();
    expect(await begun).toMatchObject({ ok: true, value: { phase: 'signedIn' } });
    badge();
    expect(await scanned).toMatchObject(cancelled);
    expect(desk.desk.phase).toBe('signedIn');
  });

  it('that unlocks the desk is not thrown out by a sign-in that began while it was locked', async () => {
    service.hold('POST /access/sessions')(refusal(404, 'not-found'));
    expect(await signInByKey()).toMatchObject({ ok: true });
    desk.desk.lock('asked');
    const answer = service.hold('POST /access/sessions');
    const begun = desk.people.begin();
    await service.was('POST /access/sessions', 2);
    expect(desk.desk.unlock(key)).toMatchObject({ ok: true });
    answer();
    expect(await begun).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', people: [] });
  });

  const alone: readonly [string, () => Response][] = [
    ['makes no sessions', () => refusal(404, 'not-found')],
    [
      'knows nobody of this key',
      () => refusal(403, 'sign-in-refused', { reason: 'unknown-person' }),
    ],
    ['forgot the desk', () => refusal(403, 'sign-in-refused', { reason: 'unknown-desk' })],
  ];
  describe.each(alone)('of a service that %s', (_what, refused) => {
    it('opens nothing where the computer slept before that was told', async () => {
      const answer = service.hold('POST /access/sessions');
      const begun = signInByKey();
      await service.was('POST /access/sessions');
      desk.desk.lock('suspend');
      const asked = [...service.requests];
      answer(refused());
      expect(await begun).toMatchObject(cancelled);
      expect(desk.desk.phase).toBe('signedOut');
      expect(service.requests).toEqual(asked);
    });

    it('throws out nobody who came before that was told', async () => {
      const answer = service.hold('POST /access/sessions');
      const begun = signInByKey();
      await service.was('POST /access/sessions');
      await signIn('Ben');
      const asked = [...service.requests];
      answer(refused());
      expect(await begun).toMatchObject(cancelled);
      expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ben' });
      expect(service.requests).toEqual(asked);
    });

    it('opens nothing by itself, where it is saved, once the computer slept', async () => {
      const keyStore = new KeyStore(sealedByXor(), folder);
      keyStore.stage(address, key);
      keyStore.save();
      const answer = service.hold('POST /access/sessions');
      const begun = desk.keys.signInWithSavedKey();
      await service.was('POST /access/sessions');
      desk.desk.lock('suspend');
      const asked = [...service.requests];
      answer(refused());
      expect(await begun).toMatchObject(cancelled);
      expect(desk.desk.phase).toBe('signedOut');
      expect(service.requests).toEqual(asked);
      expect(keyStore.load(address)).toBe(key);
    });
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
    await desk.people.unlockSession({ staffId: 'Ann', pin: '135790' });
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

describe('a desk that was revoked', () => {
  const revoked = (): Response => refusal(401, 'desk-revoked');
  const unknown = (): Response => refusal(401, 'sign-in-refused', { reason: 'unknown-desk' });
  const ways: readonly [string, string, () => Response, (at: DeskSession) => Promise<unknown>][] = [
    [
      'a PIN that is right',
      ...([`POST ${current}/unlock`, revoked] as const),
      (at) => at.people.unlockSession({ staffId: 'Ann', pin: '493827' }),
    ],
    ['a badge', 'POST /access/badges', unknown, (at) => at.people.readBadge('B-1')],
    ['a sign-in', 'POST /access/sessions', unknown, (at) => at.people.begin()],
    [
      'a read',
      ...(['GET /v2/user/', revoked] as const),
      async (at) => {
        await at.people.unlockSession({ staffId: 'Ann', pin: '493827' });
        return at.calls.read('listUsers', { call: 'c', offset: 0, limit: 1 });
      },
    ],
  ];

  it.each(ways)(
    'is left by all at %s, and asks for an enrolment code',
    async (_, asked, answer, come) => {
      await signIn('Ben');
      desk.desk.lock('asked');
      await signIn('Ann');
      desk.desk.lock('asked');
      const before = service.count(asked);
      const give = service.hold(asked);
      const coming = come(desk);
      await service.was(asked, before + 1);
      give(answer());
      expect(await coming).toMatchObject({ ok: false, problem: { kind: 'deskRevoked' } });
      expect(desk.desk.status()).toMatchObject({
        ...{ phase: 'signedOut', reason: 'deskRevoked', enrolled: false, people: [] },
      });
    },
  );
});
