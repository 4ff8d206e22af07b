import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { SessionTimer } from './session-timer.ts';

const minute = 60_000;
type Step = { do: 'pass'; ms: number } | { do: 'noteActivity' | 'lock' | 'unlock' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat(4 * minute) }) },
  // The limits are exact to the millisecond.
  {
    weight: 4,
    arbitrary: fc.nat(32).map((halves): Step => ({ do: 'pass', ms: (halves * minute) / 2 })),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat(90 * minute) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('noteActivity', 'lock', 'unlock') }) },
);
const lasting = fc.oneof(fc.nat(60), fc.nat(24 * 60)).map((halves) => (halves * minute) / 2);

describe('the timer of a session', () => {
  it('counts down the last minute, locks after idle minutes, warns in the last ten, and signs out at the end and never before', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 15 }),
        lasting,
        (steps, lockMinutes, lasts) => {
          let now = 1_000_000;
          const endsAt = now + lasts;
          let idleSince = now;
          let isLocked = false;
          let locks = 0;
          let counted: number | undefined;
          let ends = 0;
          let warned: number[] = [];
          const timer: SessionTimer = new SessionTimer({
            now: () => now,
            lockMinutes: () => lockMinutes,
            onCountdown: (seconds) => (counted = seconds),
            onLock: () => {
              locks += 1;
            },
            onSignOutSoon: (minutes) => {
              if (minutes !== undefined) warned.push(minutes);
            },
            onSignOut: () => {
              ends += 1;
            },
          });
          // Before a sign-in, the timer does nothing.
          timer.tick();
          timer.noteActivity();
          timer.startSession(endsAt);
          for (const one of steps) {
            const before = locks;
            const isOver = ends > 0;
            if (one.do === 'pass') {
              now += one.ms;
              timer.tick();
            } else if (one.do !== 'unlock') timer[one.do]();
            else if (!isOver) {
              timer.startSession(endsAt);
              warned = [];
            }
            const ticks = one.do === 'pass' || one.do === 'noteActivity';
            const idle = now - idleSince;
            if (isOver || (ticks && now >= endsAt)) {
              expect([ends, locks, counted]).toEqual([1, before, undefined]);
              continue;
            }
            expect(ends).toBe(0);
            // The first input after a sleep doesn't prevent the lock.
            const isDue = ticks && !isLocked && idle >= lockMinutes * minute;
            expect(locks - before).toBe(isDue ? 1 : 0);
            if (isDue || one.do === 'lock') isLocked = true;
            if (one.do === 'unlock') isLocked = false;
            if (one.do === 'unlock' || (one.do === 'noteActivity' && !isLocked)) idleSince = now;
            const left = lockMinutes * minute - (now - idleSince);
            if (one.do !== 'unlock') {
              const isCounted = !isLocked && one.do !== 'noteActivity' && left <= minute;
              expect(counted).toBe(isCounted ? Math.ceil(left / 1000) : undefined);
            }
            if (ticks && endsAt - now <= 10 * minute) {
              expect(warned.at(-1)).toBe(Math.ceil((endsAt - now) / minute));
            }
          }
          // The warning is sent once for each minute.
          expect(warned).toEqual([...new Set(warned)].sort((a, b) => b - a));
          expect(warned.every((minutes) => minutes >= 1 && minutes <= 10)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
