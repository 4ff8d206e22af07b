import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { FakeClock } from '../../testing/fake-clock.ts';
import { CircuitOpenError, InvalidArgumentError } from '../errors/call-errors.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { CircuitOutcome } from './circuit-breaker.ts';

const ROUTE = 'GET /v2/user/';
const SMALL = { window: 4, minimum: 2, failureRatio: 0.5, windowMs: 1000, openMs: 300 };

function setUp(): { clock: FakeClock; breaker: CircuitBreaker; run: (o: CircuitOutcome) => void } {
  const clock = new FakeClock();
  const breaker = new CircuitBreaker({ ...SMALL, clock });
  const run = (outcome: CircuitOutcome): void => {
    breaker.enter(ROUTE)(outcome);
  };
  return { clock, breaker, run };
}

describe('CircuitBreaker', () => {
  it('follows its rules over any course of events', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const) }),
      fc.record({
        kind: fc.constant('leave' as const),
        which: fc.nat(5),
        outcome: fc.constantFrom<CircuitOutcome>('succeeded', 'failed', 'given-up'),
      }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 400 }) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const { clock, breaker } = setUp();
        let open: { leave: (outcome: CircuitOutcome) => void; probe: boolean }[] = [];
        let openUntil = -Infinity;
        let [entered, refused] = [0, 0];
        for (const step of events) {
          const before = breaker.state;
          if (step.kind === 'wait') {
            clock.time += step.ms;
            // Time only changes the state from open to half-open.
            expect(breaker.state).toBe(
              before === 'open' && clock.now() >= openUntil ? 'half-open' : before,
            );
          } else if (step.kind === 'enter') {
            const probing = open.some(({ probe }) => probe);
            try {
              open.push({ leave: breaker.enter(ROUTE), probe: before === 'half-open' });
              entered += 1;
              expect(before === 'open' || (before === 'half-open' && probing)).toBe(false);
            } catch (error) {
              expect(error).toBeInstanceOf(CircuitOpenError);
              refused += 1;
              expect(before === 'open' || probing).toBe(true);
            }
            expect(breaker.state).toBe(before);
          } else {
            const one = open[step.which % Math.max(1, open.length)];
            if (one === undefined) continue;
            open = open.filter((other) => other !== one);
            one.leave(step.outcome);
            if (breaker.state === 'open' && before !== 'open') openUntil = clock.now() + 300;
            if (one.probe && before === 'half-open') {
              const after = { succeeded: 'closed', failed: 'open', 'given-up': 'half-open' };
              expect(breaker.state).toBe(after[step.outcome]);
            } else if (before !== 'closed') {
              expect(breaker.state).toBe(before);
            } else if (step.outcome === 'given-up') {
              expect(breaker.state).toBe('closed');
            }
          }
          expect(breaker.counts.refused).toBe(refused);
          const { succeeded, failed } = breaker.counts;
          expect(succeeded + failed).toBeLessThanOrEqual(entered);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { window: 0 },
    { minimum: 21 },
    { failureRatio: 0 },
    { failureRatio: 2 },
    { openMs: 0 },
  ])('refuses %p', (options) => {
    expect(() => new CircuitBreaker(options)).toThrow(InvalidArgumentError);
  });
});
