import { describe, expect, it } from '@jest/globals';
import type { DeskSession } from './desk-session.ts';
import { anewForEach, cancelled, current, refusal, signInAs } from './held-service.testing.ts';
import type { HeldService } from './held-service.testing.ts';

/** The service answers when the test says so: somebody has gone on meanwhile, and what comes late changes nothing for them. */
let service: HeldService;
let desk: DeskSession;

anewForEach((made) => {
  ({ service, desk } = made);
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
        return at.calls.read('listUsers', { offset: 0, limit: 1 });
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
