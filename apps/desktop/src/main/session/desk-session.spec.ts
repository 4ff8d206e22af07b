import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import {
  heldDeskForEach,
  cancelled,
  current,
  granted,
  refusal,
  signInAs,
} from './held-service.testing.ts';
import type { HeldDesk, HeldService } from './held-service.testing.ts';

/**
 * The fake service answers when the test releases the answer. By then the user has moved on, and a late answer must
 * change nothing.
 */
let made: HeldDesk;
let service: HeldService;
let desk: HeldDesk['desk'];

heldDeskForEach((one) => {
  made = one;
  ({ service, desk } = one);
});

const unlock = `POST ${current}/unlock`;
const lock = `POST ${current}/lock`;

const signIn = (name: string): Promise<void> => signInAs(made, name);
const pin = (staffId: string): ReturnType<typeof desk.unlockSession> => {
  service.next = staffId;
  return desk.unlockSession({ staffId, pin: '135790' });
};
/** Waits until requests that the desk doesn't await are sent. */
const sent = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('a sign-in by the browser', () => {
  it.each([
    ['was cancelled', () => desk.cancelSignIn()],
    ['the computer slept over', () => desk.lock('suspend')],
  ])('that %s while the service made its session puts nobody at the desk', async (_, act) => {
    const answer = service.hold('POST /access/sessions');
    const begun = desk.beginSignIn();
    await service.was('POST /access/sessions');
    act();
    answer();
    expect(await begun).toMatchObject(cancelled);
    expect(desk.getStatus()).toMatchObject({ phase: 'signedOut', people: [] });
    expect(service.requests).toContain(`DELETE ${current}`);
  });

  it('is in progress until the service has answered', async () => {
    for (const refused of [undefined, refusal(403, 'sign-in-refused')]) {
      expect(desk.getStatus().signingIn).toBe(false);
      const answer = service.hold('POST /access/sessions');
      const asked = service.count('POST /access/sessions');
      const begun = desk.beginSignIn();
      await service.was('POST /access/sessions', asked + 1);
      expect(desk.getStatus().signingIn).toBe(true);
      answer(refused);
      expect(await begun).toMatchObject({ ok: refused === undefined });
      expect(desk.getStatus().signingIn).toBe(false);
      desk.lock('manual');
    }
  });

  it('that is not in progress can be cancelled without effect on an unlock', async () => {
    await signIn('Ann');
    desk.lock('manual');
    const answer = service.hold(unlock);
    const unlocked = pin('Ann');
    await service.was(unlock);
    desk.cancelSignIn();
    answer();
    expect(await unlocked).toMatchObject({ ok: true, value: { current: 'Ann' } });
  });
});

describe('the end of an earlier session', () => {
  it('keeps the newer session of the same person', async () => {
    await signIn('Ann');
    const ended = service.hold(`POST ${current}/renew`);
    desk.tick(Date.now() + 400_000);
    await service.was(`POST ${current}/renew`);
    desk.lock('manual');
    await signIn('Ann');
    ended(refusal(401, 'session-ended'));
    await sent();
    expect(desk.getStatus()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });
});

describe('a badge', () => {
  it.each(['scanned before', 'scanned after'])(
    'that is read late doesn’t lock out the user whose PIN was right: %s the PIN',
    async (when) => {
      await signIn('Ben');
      desk.lock('manual');
      await signIn('Ann');
      desk.lock('manual');
      const holder = service.hold('POST /access/badges');
      const opened = service.hold(unlock);
      const typed = when === 'scanned after' ? pin('Ann') : undefined;
      const scanned = desk.readBadge('B-1');
      await service.was('POST /access/badges');
      const unlocked = typed ?? pin('Ann');
      await service.was(unlock);
      opened();
      expect(await unlocked).toMatchObject({ ok: true, value: { current: 'Ann' } });
      holder();
      expect(await scanned).toMatchObject(cancelled);
      expect(desk.getStatus()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
    },
  );
});

describe('a PIN', () => {
  beforeEach(async () => {
    await signIn('Ann');
    desk.lock('manual');
    await sent();
  });

  it('that was right doesn’t unlock after the computer slept, and locks the session again', async () => {
    const answer = service.hold(unlock);
    const typed = pin('Ann');
    await service.was(unlock);
    const locks = service.count(lock);
    desk.lock('suspend');
    answer();
    expect(await typed).toMatchObject(cancelled);
    expect(desk.phase).toBe('locked');
    expect(service.count(lock)).toBe(locks + 1);
  });

  it('is sent only after the lock has reached the service', async () => {
    const first = service.hold(unlock);
    const before = pin('Ann');
    await service.was(unlock);
    desk.lock('suspend');
    const locked = service.count(lock);
    const statuses = service.hold(lock);
    const wrong = service.hold(unlock);
    const after = pin('Ann');
    first();
    await service.was(lock, locked + 1);
    expect(service.count(unlock)).toBe(1);
    statuses();
    expect(await before).toMatchObject(cancelled);
    await service.was(unlock, 2);
    wrong(refusal(403, 'wrong-pin', { tries_left: 4 }));
    expect(await after).toMatchObject({ problem: { kind: 'wrongPin', triesLeft: 4 } });
    expect(desk.phase).toBe('locked');
  });

  it.each([
    ['no JSON', 'serverBroken'],
    ['{}', 'serverBroken'],
  ])('after an answer that says nothing opens the desk: %s', async (body, kind) => {
    service.hold(unlock)(new Response(body, { status: 200 }));
    expect(await pin('Ann')).toMatchObject({ ok: false, problem: { kind } });
    expect(await pin('Ann')).toMatchObject({ ok: true, value: { current: 'Ann' } });
  });

  it('of another person doesn’t wait, and the later one becomes the current user', async () => {
    await signIn('Ben');
    desk.lock('manual');
    await sent();
    const first = service.hold(unlock);
    const ann = pin('Ann');
    await service.was(unlock);
    expect(await pin('Ben')).toMatchObject({ ok: true, value: { current: 'Ben' } });
    first();
    expect(await ann).toMatchObject(cancelled);
    expect(desk.getStatus()).toMatchObject({ phase: 'signedIn', current: 'Ben' });
  });

  it('doesn’t unlock if another person was selected in the meantime', async () => {
    await signIn('Ben');
    desk.lock('manual');
    const answer = service.hold(unlock);
    const typed = pin('Ben');
    await service.was(unlock);
    expect(desk.switchTo('Ann')).toMatchObject({ phase: 'locked', selectedStaffId: 'Ann' });
    answer();
    expect(await typed).toMatchObject(cancelled);
    expect(desk.phase).toBe('locked');
  });
});

describe('emergency access', () => {
  const request = {
    ...{ userId: '0b1e5d3c-8a55-4d0e-9d6c-0f8f7c1b2a3d', text: 'Unconscious, alone' },
    reasonCode: 'threat_to_health_or_safety' as const,
  };
  const ended = (id: string): string => `DELETE /access/break-glass/${id}`;
  const shown = (): string | undefined => desk.getStatus().emergency?.breakGlassId;

  /** `act` runs between the grant by the service and its answer. */
  async function grantedAfter(
    act: () => unknown,
    id = 'g-1',
  ): ReturnType<typeof desk.askBreakGlass> {
    const answer = service.hold('POST /access/break-glass');
    const asked = service.count('POST /access/break-glass');
    const outcome = desk.askBreakGlass(request);
    await service.was('POST /access/break-glass', asked + 1);
    act();
    answer(granted(id));
    return outcome;
  }

  it.each([
    ['was cancelled', () => desk.cancelSignIn()],
    ['was left by a lock', () => desk.lock('idle')],
  ])('that %s while it was granted is ended, and opens nothing', async (_, act) => {
    await signIn('Ann');
    expect(await grantedAfter(act)).toMatchObject(cancelled);
    expect(shown()).toBeUndefined();
    expect(service.requests).toContain(ended('g-1'));
  });

  it('that was granted is not ended by a later cancellation', async () => {
    await signIn('Ann');
    expect(await desk.askBreakGlass(request)).toMatchObject({ ok: true });
    expect(desk.cancelSignIn()).toMatchObject({ emergency: { breakGlassId: 'g-1' } });
  });

  describe('requested for a second patient', () => {
    const cancelledAt = (id: string): ReturnType<typeof grantedAfter> =>
      grantedAfter(() => desk.cancelSignIn(), id);

    beforeEach(async () => {
      await signIn('Ann');
      expect(await desk.askBreakGlass(request)).toMatchObject({ ok: true });
    });

    it('and cancelled keeps the first grant shown, which can be ended', async () => {
      expect(await cancelledAt('g-2')).toMatchObject(cancelled);
      expect(service.requests).toContain(ended('g-2'));
      expect(service.requests).not.toContain(ended('g-1'));
      expect(shown()).toBe('g-1');
      expect(await desk.endBreakGlass()).toMatchObject({ ok: true });
      expect(service.requests).toContain(ended('g-1'));
      expect(shown()).toBeUndefined();
    });

    it('and cancelled, but not ended at the service, is shown; the first one is shown after its end', async () => {
      service.hold(ended('g-2'))(refusal(503, 'unavailable'));
      expect(await cancelledAt('g-2')).toMatchObject({ problem: { kind: 'serverBroken' } });
      expect(shown()).toBe('g-2');
      expect(await desk.endBreakGlass()).toMatchObject({ ok: true });
      expect(shown()).toBe('g-1');
      await desk.endBreakGlass();
      expect(shown()).toBeUndefined();
      expect(service.count(ended('g-2'))).toBe(2);
    });

    it('and cancelled keeps a grant that was already in force', async () => {
      expect(await cancelledAt('g-1')).toMatchObject(cancelled);
      expect(service.requests).not.toContain(ended('g-1'));
      expect(shown()).toBe('g-1');
    });
  });
});

describe('a desk that was revoked', () => {
  const revoked = (): Response => refusal(401, 'desk-revoked');
  const unknown = (): Response => refusal(401, 'sign-in-refused', { reason: 'unknown-desk' });
  const ways: readonly [string, string, () => Response, () => Promise<unknown>][] = [
    ['a PIN that is right', unlock, revoked, () => pin('Ann')],
    ['a badge', 'POST /access/badges', unknown, () => desk.readBadge('B-1')],
    ['a sign-in', 'POST /access/sessions', unknown, () => desk.beginSignIn()],
    [
      'a read',
      'GET /v2/user/',
      revoked,
      async () => {
        await pin('Ann');
        return made.calls.read('listUsers', { offset: 0, limit: 1 });
      },
    ],
  ];

  it.each(ways)(
    'is left by all at %s, and asks for an enrolment code',
    async (_, asked, answer, come) => {
      await signIn('Ben');
      desk.lock('manual');
      await signIn('Ann');
      desk.lock('manual');
      const before = service.count(asked);
      const give = service.hold(asked);
      const coming = come();
      await service.was(asked, before + 1);
      give(answer());
      expect(await coming).toMatchObject({ ok: false, problem: { kind: 'deskRevoked' } });
      expect(desk.getStatus()).toMatchObject({
        ...{ phase: 'signedOut', reason: 'deskRevoked', enrolled: false, people: [] },
      });
    },
  );
});

describe('the people of a desk', () => {
  it('appear once each, in order of arrival, with one current user at most', async () => {
    const name = fc.constantFrom('Ann', 'Ben', 'Cyd');
    const step = fc.record({
      act: fc.constantFrom('signIn', 'unlock', 'signOut', 'switchTo', 'lock'),
      name,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        desk.signOut('manual');
        while (desk.phase !== 'signedOut') desk.signOut('manual');
        let people: string[] = [];
        let at: string | undefined;
        for (const { act, name: who } of steps) {
          const isThere = people.includes(who);
          if (act === 'signIn') {
            service.next = who;
            const begun = await desk.beginSignIn();
            expect(begun.ok).toBe(at === undefined);
            if (at === undefined) at = who;
            if (begun.ok && !isThere) people = [...people, who];
          } else if (act === 'unlock') {
            const unlocked = await pin(who);
            expect(unlocked.ok).toBe(at === undefined && isThere);
            if (unlocked.ok) at = who;
          } else if (act === 'signOut') {
            desk.signOut('manual', who);
            people = people.filter((one) => one !== who);
            if (at === who) at = undefined;
          } else {
            if (act === 'lock') desk.lock('manual');
            else desk.switchTo(who);
            at = undefined;
          }
          const status = desk.getStatus();
          const phase = people.length === 0 ? 'signedOut' : 'locked';
          expect(status.phase).toBe(at === undefined ? phase : 'signedIn');
          expect(status.current).toBe(at);
          expect(status.people.map(({ staffId }) => staffId)).toEqual(people);
          const { selectedStaffId } = status;
          expect(selectedStaffId === undefined || people.includes(selectedStaffId)).toBe(true);
        }
      }),
    );
  });
});
