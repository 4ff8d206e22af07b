import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeskSession } from './desk-session.ts';
import { heldDeskForEach, signInAs } from './held-service.testing.ts';
import type { HeldDesk, HeldService } from './held-service.testing.ts';

const minute = 60_000;
const hour = 60 * minute;
const began = Date.UTC(2026, 10, 22, 8);

let made: HeldDesk;
let clinic: HeldService;
let desk: DeskSession;

heldDeskForEach((one) => {
  made = one;
});
beforeEach(async () => {
  clinic = made.service;
  ({ desk } = made);
  clinic.now = began;
  await signInAs(made, 'Ann');
});

/** Waits until all requests of a tick are answered. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const tick = (): Promise<void> => {
  desk.tick(clinic.now);
  return answered();
};

describe('a day at a desk', () => {
  it('is renewed in the second half of each ten minutes and ends after twelve hours', async () => {
    expect(desk.person?.endsAt).toBe(began + 12 * hour);
    for (; clinic.now < began + 12 * hour; clinic.now += minute) {
      await tick();
      expect(desk.phase).toBe('signedIn');
    }
    const gaps = clinic.renewedAt.map((at, place) => at - (clinic.renewedAt[place - 1] ?? began));
    expect(new Set(gaps.slice(0, -5))).toEqual(new Set([5 * minute]));
    desk.tick(clinic.now);
    expect(desk.getStatus()).toMatchObject({ phase: 'signedOut', reason: 'limit', people: [] });
    expect(made.statuses.at(-1)).toEqual(desk.getStatus());
    const renewals = clinic.renewedAt.length;
    clinic.now += hour;
    await tick();
    expect(clinic.renewedAt).toHaveLength(renewals);
  });

  it('ends with a reason if the computer slept longer than the session lasts', async () => {
    clinic.now += 11 * minute;
    await tick();
    expect(desk.getStatus()).toMatchObject({ phase: 'signedOut', reason: 'expired', people: [] });
  });

  it('is not renewed while locked, and still ends at its limit', async () => {
    desk.lock('idle');
    clinic.now += 8 * minute;
    await tick();
    expect(clinic.renewedAt).toEqual([]);
    expect(desk.getStatus()).toMatchObject({ phase: 'locked', selectedStaffId: 'Ann' });
    clinic.now = began + 12 * hour;
    desk.tick(clinic.now);
    expect(desk.getStatus()).toMatchObject({ phase: 'signedOut', reason: 'limit' });
  });
});
