import { describe, expect, it } from '@jest/globals';
import { SessionTimer } from './session-timer.ts';

const minute = 60_000;

function setUp(lockMinutes = 5): {
  timer: SessionTimer;
  told: string[];
  pass: (milliseconds: number) => void;
} {
  const told: string[] = [];
  let now = 1_000_000;
  const timer: SessionTimer = new SessionTimer({
    now: () => now,
    lockMinutes: () => lockMinutes,
    onCountdown: (seconds) => told.push(`countdown ${seconds ?? 'off'}`),
    onLock: () => told.push('lock'),
    onSignOutSoon: (minutes) => told.push(`sign-out in ${minutes}`),
    onSignOut: (reason) => told.push(`sign-out ${reason}`),
  });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    timer.tick();
  };
  return { timer, told, pass };
}

describe('SessionTimer', () => {
  it('counts down in the last minute and locks after the idle minutes, once', () => {
    const { timer, told, pass } = setUp();
    timer.signedIn();
    pass(4 * minute - 1);
    expect(told).toEqual([]);
    pass(1);
    pass(59_000);
    pass(1000);
    pass(1000);
    expect(told).toEqual(['countdown 60', 'countdown 1', 'countdown off', 'lock']);
  });

  it('starts again with each activity', () => {
    const { timer, told, pass } = setUp();
    timer.signedIn();
    pass(4.5 * minute);
    timer.active();
    pass(4.5 * minute);
    expect(told).toEqual(['countdown 30', 'countdown off', 'countdown 30']);
  });

  it('locks before the first activity after a sleep counts', () => {
    const { timer, told, pass } = setUp();
    timer.signedIn();
    // No tick while the computer sleeps; the wall timer goes on.
    pass(0);
    const asleep = setUp();
    asleep.timer.signedIn();
    asleep.pass(6 * minute);
    asleep.timer.active();
    expect(asleep.told).toEqual(['lock']);
    expect(told).toEqual([]);
  });

  it('takes no activity while it is locked, and signs out after fifteen idle minutes', () => {
    const { timer, told, pass } = setUp();
    timer.signedIn();
    pass(5 * minute);
    timer.active();
    pass(10 * minute);
    expect(told).toEqual(['lock', 'sign-out idle']);
  });

  it('signs out after twelve hours of work, with a warning from ten minutes before, minute by minute', () => {
    const { timer, told, pass } = setUp();
    timer.signedIn();
    for (let passed = 0; passed < 12 * 60; passed += 1) {
      timer.active();
      pass(minute);
    }
    const warnings = Array.from({ length: 10 }, (_, passed) => `sign-out in ${10 - passed}`);
    expect(told).toEqual([...warnings, 'sign-out limit']);
  });

  it('does nothing before the sign-in and after the sign-out', () => {
    const { timer, told, pass } = setUp();
    pass(60 * minute);
    timer.signedIn();
    timer.signedOut();
    timer.active();
    pass(60 * minute);
    expect(told).toEqual([]);
  });
});
