import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { dayMs, hourMs, teamA, accessEngines } from '../access.testing.ts';
import type { KeyRepository } from './key.repository.ts';

/** What an owner knows of a key. */
interface Known {
  readonly key: string;
  readonly keyId: string;
  expiresMs: number;
  revoked: boolean;
}

type Step =
  | { kind: 'create'; lifeHours: number }
  | { kind: 'rotate'; pick: number; overlapHours: number }
  | { kind: 'revoke'; pick: number }
  | { kind: 'wait'; hours: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), lifeHours: fc.integer({ min: 1, max: 72 }) }),
  fc.record({
    kind: fc.constant('rotate' as const),
    pick: fc.nat(20),
    overlapHours: fc.integer({ min: 0, max: 48 }),
  }),
  fc.record({ kind: fc.constant('revoke' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 0, max: 40 }) }),
);

describe.each(accessEngines)('on $name', ({ name, withAccess }) => {
  describe('any sequence of key operations', () => {
    it('lets exactly the keys in that are neither revoked nor expired, in every process', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
          await withAccess(async ({ store, clock, openAnother }) => {
            const another = await openAnother();
            const known: Known[] = [];
            for (const one of steps) {
              await take(one, store.keys, known, clock);
              for (const { key, keyId, expiresMs, revoked } of known) {
                const live = !revoked && clock.nowMs < expiresMs;
                for (const { keys } of [store, another]) {
                  const principal = await keys.authenticate(key, '192.0.2.1');
                  expect(principal?.keyId).toBe(live ? keyId : undefined);
                }
              }
            }
          });
        }),
        { numRuns: name === 'SQLite' ? 60 : 10 },
      );
    });
  });
});

async function take(
  one: Step,
  keys: KeyRepository,
  known: Known[],
  clock: { nowMs: number },
): Promise<void> {
  switch (one.kind) {
    case 'create': {
      const expiresMs = clock.nowMs + one.lifeHours * hourMs;
      const made = await keys.create({
        teamId: teamA,
        role: 'clinician',
        label: 'x',
        expires: new Date(expiresMs),
      });
      known.push({ key: made.key, keyId: made.keyId, expiresMs, revoked: false });
      return;
    }
    case 'rotate': {
      const old = known[one.pick % Math.max(1, known.length)];
      if (old === undefined) {
        return;
      }
      const overlapMs = one.overlapHours * hourMs;
      const made = await keys.rotate(old.keyId, { overlapMs }).catch(() => undefined);
      if (made !== undefined) {
        // Only a live key can be rotated, and rotating never lengthens its life.
        expect(old.revoked || clock.nowMs >= old.expiresMs).toBe(false);
        old.expiresMs = Math.min(old.expiresMs, clock.nowMs + overlapMs);
        const expiresMs = clock.nowMs + 90 * dayMs;
        known.push({ key: made.key, keyId: made.keyId, expiresMs, revoked: false });
      }
      return;
    }
    case 'revoke': {
      const picked = known[one.pick % Math.max(1, known.length)];
      if (picked !== undefined) {
        await keys.revoke(picked.keyId);
        picked.revoked = true;
      }
      return;
    }
    case 'wait':
      clock.nowMs += one.hours * hourMs;
      return;
  }
}
