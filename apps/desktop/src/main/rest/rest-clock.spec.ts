import { describe, expect, it } from '@jest/globals';
import { RestClock } from './rest-clock.ts';

function setUp(): { clock: RestClock; rests: () => number; pass: (ms: number) => void } {
  let now = 1_000_000;
  let rests = 0;
  const clock = new RestClock({
    now: () => now,
    onRest: () => {
      rests += 1;
    },
  });
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end;) {
      now = Math.min(end, now + 1000);
      clock.tick();
    }
  };
  return { clock, rests: () => rests, pass };
}

describe('RestClock', () => {
  it('rests once, five seconds after the last activity', () => {
    const { clock, rests, pass } = setUp();
    clock.active();
    pass(4000);
    clock.active();
    pass(4999);
    expect(rests()).toBe(0);
    pass(1);
    expect(rests()).toBe(1);
    pass(60_000);
    expect(rests()).toBe(1);
  });

  it('rests again after new activity, and after something was left', () => {
    const { clock, rests, pass } = setUp();
    clock.active();
    pass(6000);
    clock.active();
    pass(6000);
    expect(rests()).toBe(2);
    clock.left();
    pass(1000);
    expect(rests()).toBe(3);
  });

  it('has nothing to rest from before anybody came', () => {
    const { rests, pass } = setUp();
    pass(60_000);
    expect(rests()).toBe(0);
  });
});
