import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenPatient } from '../../shared/people.ts';
import type { DeskSession } from './desk-session.ts';
import { heldDeskForEach, current, refusal, signInAs } from './held-service.testing.ts';
import type { HeldService } from './held-service.testing.ts';

const minute = 60_000;
const patient: OpenPatient = { clientUserId: 'MRN-1', screen: 'labs' };
let service: HeldService;
let session: DeskSession;

heldDeskForEach((made) => {
  ({ service, desk: session } = made);
});

const unlock = (staffId: string): ReturnType<DeskSession['unlockSession']> => {
  service.next = staffId;
  return session.unlockSession({ staffId, pin: '135790' });
};

beforeEach(async () => {
  await signInAs({ service, desk: session }, 'Ben');
  session.lock('manual');
  await signInAs({ service, desk: session }, 'Ann');
  session.noteOpen(patient);
});

describe('after a lock', () => {
  it('the same person is back at the same patient within 15 minutes, once', async () => {
    session.lock('idle');
    const until = new Date(service.now + 15 * minute).toISOString();
    expect(session.getStatus().returning).toEqual({ staffId: 'Ann', until });
    service.now += 15 * minute - 1;
    await unlock('Ann');
    expect(session.getStatus().returning).toBeUndefined();
    expect(session.getStatus().returnTo).toEqual(patient);
    session.noteOpen(undefined);
    expect(session.getStatus().returnTo).toBeUndefined();
  });

  it('the same person returns after a wrong PIN', async () => {
    session.lock('manual');
    const answer = service.hold(`POST ${current}/unlock`);
    const wrong = unlock('Ann');
    answer(refusal(403, 'wrong-pin', { tries_left: 4 }));
    expect(await wrong).toMatchObject({ ok: false, problem: { kind: 'wrongPin' } });
    expect(session.getStatus().returnTo).toBeUndefined();
    await unlock('Ann');
    expect(session.getStatus().returnTo).toEqual(patient);
  });

  it('the same person starts clean after 15 minutes', async () => {
    session.lock('manual');
    service.now += 15 * minute;
    session.tick(service.now);
    expect(session.getStatus().returning).toBeUndefined();
    // Setting the clock forward again doesn't bring the patient back.
    service.now -= minute;
    await unlock('Ann');
    expect(session.getStatus().returnTo).toBeUndefined();
  });

  it('the same person starts clean if the clock was set back', async () => {
    session.lock('manual');
    service.now -= minute;
    await unlock('Ann');
    expect(session.getStatus().returnTo).toBeUndefined();
  });

  it('another person starts clean, and so does the first one after them', async () => {
    session.lock('switched');
    await unlock('Ben');
    expect(session.getStatus().returnTo).toBeUndefined();
    session.lock('switched');
    expect(session.getStatus().returning).toBeUndefined();
    await unlock('Ann');
    expect(session.getStatus().returnTo).toBeUndefined();
  });

  it('a sign-in by the browser starts clean', async () => {
    session.lock('manual');
    await signInAs({ service, desk: session }, 'Ann');
    expect(session.getStatus().returnTo).toBeUndefined();
  });
});

it('returns to the last patient on the screen, and to none if there was none', async () => {
  session.noteOpen(undefined);
  session.lock('manual');
  expect(session.getStatus().returning).toBeUndefined();
  await unlock('Ann');
  expect(session.getStatus().returnTo).toBeUndefined();
});

it('ignores what a locked page notes', async () => {
  session.lock('manual');
  session.noteOpen({ clientUserId: 'MRN-2', screen: 'person' });
  await unlock('Ann');
  expect(session.getStatus().returnTo).toEqual(patient);
});

it('forgets the patient at sign-out, also of a locked session', async () => {
  session.lock('manual');
  session.signOut('manual', 'Ann');
  expect(session.getStatus().returning).toBeUndefined();
  await signInAs({ service, desk: session }, 'Ann');
  expect(session.getStatus().returnTo).toBeUndefined();
  session.noteOpen(patient);
  session.signOut('manual');
  await signInAs({ service, desk: session }, 'Ann');
  session.lock('manual');
  await unlock('Ann');
  expect(session.getStatus().returnTo).toBeUndefined();
});
