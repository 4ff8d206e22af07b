import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { SessionTimer } from './session-timer.ts';

const minute = 60_000;
type Step = { do: 'pass'; ms: number } | { do: 'active' | 'locked' | 'unlocked' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat(4 * minute) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat(90 * minute) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('active', 'locked', 'unlocked') }) },
);

describe('the timer of a person, who has a session with an end', () => {
  it('locks after idle minutes, warns in the last ten, and signs out at the end and never before', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 15 }),
        fc.nat(12 * 60 * minute),
        (steps, lockMinutes, lasts) => {
          let now = 1_000_000;
          const endsAt = now + lasts;
          const told: string[] = [];
          let locks = 0;
          const warned: number[] = [];
          const timer: SessionTimer = new SessionTimer({
            now: () => now,
            lockMinutes: () => lockMinutes,
            onCountdown: (seconds) => {
              // Only in the last minute before a lock.
              expect(seconds ?? 1).toBeGreaterThan(0);
              expect(seconds ?? 1).toBeLessThanOrEqual(60);
            },
            onLock: () => {
              locks += 1;
            },
            onSignOutSoon: (minutes) => warned.push(minutes),
            onSignOut: (reason) => told.push(reason),
          });
          timer.signedIn(endsAt);
          let idleSince = now;
          let isLocked = false;
          for (const one of steps) {
            const before = locks;
            const isOver = told.length > 0;
            switch (one.do) {
              case 'pass':
                now += one.ms;
                timer.tick();
                break;
              case 'active':
                timer.active();
                break;
              case 'locked':
                timer.locked();
                break;
              case 'unlocked':
                timer.unlocked();
                break;
            }
            const isDue = !isLocked && now - idleSince >= lockMinutes * minute;
            const ticks = one.do === 'pass' || one.do === 'active';
            if (isOver || (ticks && now >= endsAt)) {
              expect(told).toEqual(['limit']);
              expect(locks).toBe(before);
              continue;
            }
            expect(told).toEqual([]);
            expect(locks - before).toBe(ticks && isDue ? 1 : 0);
            if (ticks && isDue) isLocked = true;
            if (one.do === 'locked') isLocked = true;
            if (one.do === 'unlocked') isLocked = false;
            if (one.do === 'unlocked' || (one.do === 'active' && !isLocked)) idleSince = now;
            if (ticks && endsAt - now <= 10 * minute) {
              expect(warned.at(-1)).toBe(Math.ceil((endsAt - now) / minute));
            }
          }
          expect(warned).toEqual([...new Set(warned)].sort((a, b) => b - a));
          expect(warned.every((minutes) => minutes >= 1 && minutes <= 10)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
