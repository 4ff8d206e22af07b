import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { edgeCaseEnvelopes, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { made } from './testing/made.testing.ts';
import { errorsOf } from './testing/verdict.testing.ts';

describe('all resources', () => {
  it('of the demo pass FHIR R4, US Core 7 and 8, and our own checks', () => {
    const all = made([...sampleEnvelopes({ users: 300 }), ...edgeCaseEnvelopes(sampleTeamId)]);
    expect([all.length, errorsOf(all)]).toEqual([29_205, []]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('of 250 generated people do, part %s', (part) => {
    const people = { users: 250, first: 250 * part, seed, personas: false, mindfulnessDays: 3 };
    expect(errorsOf(made(sampleEnvelopes(people)))).toEqual([]);
  });
});
