import { describe, expect, it } from '@jest/globals';
import { IdleTimer } from './idle-timer.ts';

function setUp(): { timer: IdleTimer; calls: () => number; pass: (ms: number) => void } {
  let now = 1_000_000;
  let calls = 0;
  const timer = new IdleTimer({
    now: () => now,
    onIdle: () => {
      calls += 1;
    },
  });
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end;) {
      now = Math.min(end, now + 1000);
      timer.tick();
    }
  };
  return { timer, calls: () => calls, pass };
}

describe('IdleTimer', () => {
  it('calls back once, five seconds after the last activity', () => {
    const { timer, calls, pass } = setUp();
    timer.active();
    pass(4000);
    timer.active();
    pass(4999);
    expect(calls()).toBe(0);
    pass(1);
    expect(calls()).toBe(1);
    pass(60_000);
    expect(calls()).toBe(1);
  });

  it('calls back again after new activity, and after something was left', () => {
    const { timer, calls, pass } = setUp();
    timer.active();
    pass(6000);
    timer.active();
    pass(6000);
    expect(calls()).toBe(2);
    timer.rearm();
    pass(1000);
    expect(calls()).toBe(3);
  });

  it('has nothing to rest from before anybody came', () => {
    const { calls, pass } = setUp();
    pass(60_000);
    expect(calls()).toBe(0);
  });
});
