import { describe, expect, it } from '@jest/globals';
import { LockClock } from './lock-clock.ts';

const minute = 60_000;

function setUp(lockMinutes = 5): {
  clock: LockClock;
  told: string[];
  pass: (milliseconds: number) => void;
} {
  const told: string[] = [];
  let now = 1_000_000;
  const clock: LockClock = new LockClock({
    now: () => now,
    lockMinutes: () => lockMinutes,
    onCountdown: (seconds) => told.push(`countdown ${seconds ?? 'off'}`),
    onLock: () => told.push('lock'),
    onSignOutSoon: (minutes) => told.push(`sign-out in ${minutes}`),
    onSignOut: (reason) => told.push(`sign-out ${reason}`),
  });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    clock.tick();
  };
  return { clock, told, pass };
}

describe('LockClock', () => {
  it('counts down in the last minute and locks after the idle minutes, once', () => {
    const { clock, told, pass } = setUp();
    clock.signedIn();
    pass(4 * minute - 1);
    expect(told).toEqual([]);
    pass(1);
    pass(59_000);
    pass(1000);
    pass(1000);
    expect(told).toEqual(['countdown 60', 'countdown 1', 'countdown off', 'lock']);
  });

  it('starts again with each activity', () => {
    const { clock, told, pass } = setUp();
    clock.signedIn();
    pass(4.5 * minute);
    clock.active();
    pass(4.5 * minute);
    expect(told).toEqual(['countdown 30', 'countdown off', 'countdown 30']);
  });

  it('locks before the first activity after a sleep counts', () => {
    const { clock, told, pass } = setUp();
    clock.signedIn();
    // No tick while the computer sleeps; the wall clock goes on.
    pass(0);
    const asleep = setUp();
    asleep.clock.signedIn();
    asleep.pass(6 * minute);
    asleep.clock.active();
    expect(asleep.told).toEqual(['lock']);
    expect(told).toEqual([]);
  });

  it('takes no activity while it is locked, and signs out after fifteen idle minutes', () => {
    const { clock, told, pass } = setUp();
    clock.signedIn();
    pass(5 * minute);
    clock.active();
    pass(10 * minute);
    expect(told).toEqual(['lock', 'sign-out idle']);
  });

  it('signs out after twelve hours of work, with a warning from ten minutes before, minute by minute', () => {
    const { clock, told, pass } = setUp();
    clock.signedIn();
    for (let passed = 0; passed < 12 * 60; passed += 1) {
      clock.active();
      pass(minute);
    }
    const warnings = Array.from({ length: 10 }, (_, passed) => `sign-out in ${10 - passed}`);
    expect(told).toEqual([...warnings, 'sign-out limit']);
  });

  it('does nothing before the sign-in and after the sign-out', () => {
    const { clock, told, pass } = setUp();
    pass(60 * minute);
    clock.signedIn();
    clock.signedOut();
    clock.active();
    pass(60 * minute);
    expect(told).toEqual([]);
  });
});
