import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeskSession } from './desk-session.ts';
import { anewForEach, cancelled, current, refusal, signInAs } from './held-service.testing.ts';
import type { HeldService } from './held-service.testing.ts';

let service: HeldService;
let desk: DeskSession;

const unlock = `POST ${current}/unlock`;
const lock = `POST ${current}/lock`;

anewForEach((made) => {
  ({ service, desk } = made);
});

const signIn = (name: string): Promise<void> => signInAs({ service, desk }, name);

const pin = (staffId: string): ReturnType<typeof desk.people.unlockSession> =>
  desk.people.unlockSession({ staffId, pin: '135790' });

/** What is told to the service and awaited by nobody is sent by then. */
const sent = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('a PIN that is typed in two windows at once', () => {
  beforeEach(async () => {
    await signIn('Ann');
    desk.desk.lock('asked');
    await sent();
  });

  it('opens the desk once, for both, and it stays open', async () => {
    const first = service.hold(unlock);
    const second = service.hold(unlock);
    const one = pin('Ann');
    const other = pin('Ann');
    await service.was(unlock);
    const locks = service.count(lock);
    first();
    second();
    expect(await one).toMatchObject({ ok: true, value: { current: 'Ann' } });
    expect(await other).toMatchObject({ ok: true, value: { current: 'Ann' } });
    await sent();
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
    expect(service.count(unlock)).toBe(1);
    expect(service.count(lock)).toBe(locks);
  });

  it('is checked for the second, and the third, where it was wrong in the one before', async () => {
    const answers = [service.hold(unlock), service.hold(unlock), service.hold(unlock)];
    const typed = [pin('Ann'), pin('Ann'), pin('Ann')];
    await service.was(unlock, 1);
    expect(service.count(unlock)).toBe(1);
    answers[0]!(refusal(403, 'wrong-pin', { tries_left: 4 }));
    await service.was(unlock, 2);
    answers[1]!(refusal(403, 'wrong-pin', { tries_left: 3 }));
    await service.was(unlock, 3);
    answers[2]!();
    expect(await Promise.all(typed)).toMatchObject([
      { ok: false, problem: { kind: 'wrongPin', triesLeft: 4 } },
      { ok: false, problem: { kind: 'wrongPin', triesLeft: 3 } },
      { ok: true, value: { current: 'Ann' } },
    ]);
    expect(await pin('Ann')).toMatchObject({ ok: false });
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ann' });
  });

  it('is not held up by a first that reached nobody', async () => {
    service.hold(unlock)(new Response('no JSON', { status: 200 }));
    const typed = [pin('Ann'), pin('Ann')];
    expect(await Promise.all(typed)).toMatchObject([
      { ok: false, problem: { kind: 'serverBroken' } },
      { ok: true, value: { current: 'Ann' } },
    ]);
  });

  it('opens nothing in either where the computer sleeps meanwhile', async () => {
    const first = service.hold(unlock);
    const typed = [pin('Ann'), pin('Ann')];
    await service.was(unlock);
    desk.desk.lock('suspend');
    first();
    expect(await Promise.all(typed)).toMatchObject([cancelled, cancelled]);
    expect(desk.desk.phase).toBe('locked');
    expect(service.count(unlock)).toBe(1);
  });

  it('opens by the one that was typed after the lock alone', async () => {
    const first = service.hold(unlock);
    const before = pin('Ann');
    await service.was(unlock);
    desk.desk.lock('suspend');
    const locked = service.count(lock);
    const told = service.hold(lock);
    const wrong = service.hold(unlock);
    const after = pin('Ann');
    first();
    await service.was(lock, locked + 1);
    // The earlier one's lock is told first: it would lock what the later opens.
    expect(service.count(unlock)).toBe(1);
    told();
    expect(await before).toMatchObject(cancelled);
    await service.was(unlock, 2);
    expect(desk.desk.phase).toBe('locked');
    wrong(refusal(403, 'wrong-pin', { tries_left: 4 }));
    expect(await after).toMatchObject({ ok: false, problem: { kind: 'wrongPin' } });
    expect(desk.desk.phase).toBe('locked');
  });

  it('of another person waits for nobody, and the later one is at the desk', async () => {
    await signIn('Ben');
    desk.desk.lock('asked');
    await sent();
    const first = service.hold(unlock);
    const ann = pin('Ann');
    await service.was(unlock);
    expect(await pin('Ben')).toMatchObject({ ok: true, value: { current: 'Ben' } });
    first();
    expect(await ann).toMatchObject(cancelled);
    expect(desk.desk.status()).toMatchObject({ phase: 'signedIn', current: 'Ben' });
  });
});
