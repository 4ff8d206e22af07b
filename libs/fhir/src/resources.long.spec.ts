import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { edgeCaseEnvelopes, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type {
  Coverage,
  DiagnosticReport,
  FhirResource,
  Observation,
  Patient,
  ServiceRequest,
} from 'fhir/r4.js';
import { capabilityStatement, operationOutcome, searchEntry, searchset } from './index.ts';
import { anything } from './testing/anything.testing.ts';
import { made, type Made } from './testing/made.testing.ts';
import { profileErrors, VERSIONS } from './testing/profiles.testing.ts';
import { errorsOf as simpleErrorsOf } from './testing/verdict.testing.ts';

const named = made(sampleEnvelopes({ users: 9, mindfulnessDays: 3 }));

function errorsOf(all: readonly Made[]): string[] {
  const resources = all.map(({ read }) => read);
  return [
    ...simpleErrorsOf(all),
    ...VERSIONS.flatMap((version) => profileErrors(version, resources)),
  ];
}

describe('all resources', () => {
  it('of the demo pass FHIR R4, US Core 7 and 8, and our own checks', () => {
    const all = made([...sampleEnvelopes({ users: 300 }), ...edgeCaseEnvelopes(sampleTeamId)]);
    expect([all.length, errorsOf(all)]).toEqual([29_205, []]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('of 250 generated people do, part %s', (part) => {
    const people = { users: 250, first: 250 * part, seed, personas: false, mindfulnessDays: 3 };
    expect(errorsOf(made(sampleEnvelopes(people)))).toEqual([]);
  });

  it('of anything that the domain allows do', () => {
    // Where every name is blank, the code is absent.
    const errors = errorsOf(made(anything(100))).filter((error) => !error.endsWith(' is absent'));
    expect(errors).toEqual([]);
  });

  it('of a page, an error and the statement of capabilities do', () => {
    const base = 'https://health.example/fhir/r4';
    const self = `${base}/Patient?_count=2`;
    const entries = named.slice(0, 1).map(({ read }) => JSON.stringify(searchEntry(base, read)));
    const problem = {
      ...{ type: '/problems/invalid-parameters', title: 'Invalid parameters', status: 422 },
      errors: [{ parameter: '_count', reason: 'must be 0 or more' }],
    };
    const resources = [
      JSON.parse(searchset({ entries, total: 3, self, next: self })) as FhirResource,
      operationOutcome(problem),
      capabilityStatement({ base, version: '0.1.0', date: '2026-11-27' }),
    ].map((resource) => JSON.parse(JSON.stringify(resource)) as FhirResource);
    expect(profileErrors('8.0.0', resources)).toEqual([]);
  });
});

describe('a wrong resource', () => {
  const find = <T extends FhirResource>(type: T['resourceType'], is: (it: T) => boolean): Made =>
    named.find(({ read }) => read.resourceType === type && is(read as T))!;
  const changed = <T extends FhirResource>(of: Made, change: (it: T) => void): T => {
    const copy = structuredClone(of.read) as T;
    change(copy);
    return copy;
  };
  const patient = find<Patient>('Patient', () => true);
  const report = find<DiagnosticReport>('DiagnosticReport', () => true);
  const request = find<ServiceRequest>('ServiceRequest', ({ status }) => status === 'active');
  const measured = find<Observation>('Observation', (it) => it.valueQuantity !== undefined);
  const insured = find<Coverage>('Coverage', ({ contained }) => contained !== undefined);

  it.each<[string, FhirResource]>([
    ['no identifier', changed<Patient>(patient, (it) => delete it.identifier)],
    [
      'a name and why it is absent',
      changed<Patient>(patient, (it) => (it.name = [{ use: 'old' }])),
    ],
    ['no member id', changed<Coverage>(insured, (it) => delete it.identifier)],
    ['no relationship', changed<Coverage>(insured, (it) => delete it.relationship)],
    ['no code of a request', changed<ServiceRequest>(request, (it) => delete it.code)],
    ['no category', changed<DiagnosticReport>(report, (it) => (it.category = []))],
    ['no instant of issue', changed<DiagnosticReport>(report, (it) => delete it._issued)],
    ['another category', changed<Observation>(measured, (it) => (it.category = [{ text: 'a' }]))],
    ['no value', changed<Observation>(measured, (it) => delete it.valueQuantity)],
    [
      'a unit that is not of UCUM',
      changed<Observation>(measured, (it) => (it.valueQuantity!.system = 'http://units.example')),
    ],
  ])('is seen by both versions of US Core: %s', (_what, resource) => {
    for (const version of VERSIONS) expect(profileErrors(version, [resource])).not.toEqual([]);
  });
});
