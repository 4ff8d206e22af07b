import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { edgeCaseEnvelopes, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { anything } from './testing/anything.testing.ts';
import {
  buildServiceResources,
  convertEnvelopes,
  type ConvertedResource,
} from './testing/made.testing.ts';
import { profileErrors, VERSIONS } from './testing/profiles.testing.ts';
import { findErrors as simpleErrorsOf } from './testing/verdict.testing.ts';

function errorsOf(all: readonly ConvertedResource[]): string[] {
  const resources = all.map(({ read }) => read);
  return [
    ...simpleErrorsOf(all),
    ...VERSIONS.flatMap((version) => profileErrors(version, resources)),
  ];
}

describe('all resources', () => {
  it('pass FHIR R4, US Core 7 and 8, and our own checks for the demo', () => {
    const all = convertEnvelopes([
      ...sampleEnvelopes({ users: 300 }),
      ...edgeCaseEnvelopes(sampleTeamId),
    ]);
    expect([all.length, errorsOf(all)]).toEqual([29_205, []]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('pass for 250 generated people, part %s', (part) => {
    const people = { users: 250, first: 250 * part, seed, personas: false, mindfulnessDays: 3 };
    expect(errorsOf(convertEnvelopes(sampleEnvelopes(people)))).toEqual([]);
  });

  it('pass for everything that the domain allows', () => {
    // A code without any name is left out.
    const errors = errorsOf(convertEnvelopes(anything(100))).filter(
      (error) => !error.endsWith(' is absent'),
    );
    expect(errors).toEqual([]);
  });

  it('pass in a page, in an error and in the capability statement', () => {
    const [one] = convertEnvelopes(sampleEnvelopes({ users: 1 }));
    expect(profileErrors('8.0.0', buildServiceResources(one!))).toEqual([]);
  });
});
