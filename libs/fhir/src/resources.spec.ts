import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { edgeCaseEnvelopes, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { Coverage, FhirResource, Observation, ServiceRequest } from 'fhir/r4.js';
import { anything } from './testing/anything.testing.ts';
import {
  buildServiceResources,
  convertEnvelopes,
  listIds,
  type ConvertedResource,
} from './testing/made.testing.ts';
import { ownErrors } from './testing/own-checks.testing.ts';
import { schemaErrors } from './testing/schema.testing.ts';
import { findErrors } from './testing/verdict.testing.ts';

const named = convertEnvelopes(sampleEnvelopes({ users: 9, mindfulnessDays: 3 }));
const ids = listIds(named);

describe('the resources', () => {
  it('pass FHIR R4 and our own checks for named and other people', () => {
    const others = convertEnvelopes(
      sampleEnvelopes({ users: 12, first: 9, seed, mindfulnessDays: 3 }),
    );
    expect(findErrors([...named, ...others])).toEqual([]);
  });

  it('pass for the edge cases', () => {
    expect(findErrors(convertEnvelopes(edgeCaseEnvelopes(sampleTeamId)))).toEqual([]);
  });

  it('pass for everything that the domain allows', () => {
    // A code without any name is left out.
    const errors = findErrors(convertEnvelopes(anything(100))).filter(
      (error) => !error.endsWith(' is absent'),
    );
    expect(errors).toEqual([]);
  });

  it('pass in a page, in an error and in the capability statement', () => {
    expect(buildServiceResources(named[0]!).flatMap(schemaErrors)).toEqual([]);
  });
});

describe('a wrong resource', () => {
  const find = <T extends FhirResource>(
    type: T['resourceType'],
    is: (it: T) => boolean,
  ): ConvertedResource => named.find(({ read }) => read.resourceType === type && is(read as T))!;
  const changed = <T extends FhirResource>(of: ConvertedResource, change: (it: T) => void): T => {
    const copy = structuredClone(of.read) as T;
    change(copy);
    return copy;
  };
  const request = find<ServiceRequest>('ServiceRequest', ({ status }) => status === 'active');
  const measured = find<Observation>('Observation', (it) => it.valueQuantity !== undefined);
  const session = find<Observation>('Observation', (it) => it.effectivePeriod !== undefined);
  const insured = find<Coverage>('Coverage', ({ contained }) => contained !== undefined);

  it.each<[string, FhirResource]>([
    ['two values', changed<Observation>(measured, (it) => (it.valueString = '3.9'))],
    [
      'a reference to the wrong type',
      changed<Observation>(measured, (it) => (it.subject!.reference = `Observation/${it.id}`)),
    ],
    [
      'a reference to nobody',
      changed<Observation>(measured, (it) => (it.subject!.reference = 'Patient/nobody')),
    ],
    [
      'a period that ends before it starts',
      changed<Observation>(session, (it) => (it.effectivePeriod!.end = '1999-01-01')),
    ],
    ['the wrong status', changed<ServiceRequest>(request, (it) => (it.status = 'revoked'))],
    [
      'a code made absent',
      changed<Observation>(measured, (it) => {
        it.code = { extension: [{ url: 'http://example', valueCode: 'unknown' }] };
      }),
    ],
    [
      'an unused contained resource',
      changed<Coverage>(insured, (it) => (it.subscriber = it.beneficiary)),
    ],
  ])('fails our own checks: %s', (_what, resource) => {
    expect(ownErrors(resource, ids, request.order)).not.toEqual([]);
  });
});
