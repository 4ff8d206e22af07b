import { describe, expect, it } from '@jest/globals';
import type { Insurance, User, UserInfo } from '@caregate/domain';
import type { Bundle } from 'fhir/r4.js';
import {
  buildCoverage,
  buildMindfulnessObservation,
  buildOperationOutcome,
  parseCoverageId,
  parseObservationId,
  buildPatient,
  buildSearchset,
  type SearchPage,
  buildServiceRequest,
} from './index.ts';

const userId = '22222222-2222-4222-8222-22222222222A';
const user = {
  user_id: userId,
  team_id: '33333333-3333-4333-8333-333333333333',
  client_user_id: 'MRN 1',
  fallback_birth_date: { value: '1985-03-07' },
} as User;

describe('a patient', () => {
  it('has what the info says, else the fallback of the birth date, and says what is not known', () => {
    const info = { first_name: 'Ada', gender: 'agender', dob: '1985-03-08', email: ' ' };
    const complete = buildPatient({ user, info }, 1_764_208_800_123_456);
    expect(complete).toMatchObject({
      name: [{ given: ['Ada'] }],
      gender: 'other',
      birthDate: '1985-03-08',
      telecom: undefined,
    });
    expect(complete.meta?.lastUpdated).toBe('2025-11-27T02:00:00.123456Z');
    expect(complete.identifier?.map(({ system, value }) => [system, value])).toEqual([
      ['urn:uuid:33333333-3333-4333-8333-333333333333', 'MRN 1'],
      ['urn:ietf:rfc:3986', `urn:uuid:${userId.toLowerCase()}`],
    ]);
    const unknown = buildPatient({ user }, 0);
    expect(unknown).toMatchObject({ gender: 'unknown', birthDate: '1985-03-07' });
    expect(unknown.name?.[0]?.extension?.[0]?.valueCode).toBe('unknown');
  });

  it.each([
    ['female', ['female', 'F', 'f', 'Female', 'FEMALE', ' Female ', 'Woman']],
    ['male', ['male', 'M', 'm', 'Male', 'MALE']],
    ['other', ['other', 'O', 'A', 'N', 'X', 'Other', 'Divers', 'a word of its own']],
    ['unknown', ['unknown', 'U', 'UNK', 'Unknown', '', ' ', null, undefined]],
  ])('is %s however it is written: %j', (code, words) => {
    for (const gender of words) {
      const info = { first_name: 'Ada', gender } as UserInfo;
      expect([gender, buildPatient({ user, info }, 0).gender]).toEqual([gender, code]);
    }
  });
});

describe('a coverage', () => {
  const insurance = (relationship: string): Insurance => ({
    ...{ payor_code: 'AETNA', member_id: 'W1', group_id: null, relationship },
    insured: { first_name: 'Eva', last_name: 'Berg', gender: 'female' },
  });

  it.each([
    ['Self', 'self', undefined],
    ['Spouse', 'spouse', 'Spouse'],
    ['Other', 'other', undefined],
    // The policyholder of a child is a parent.
    ['Child', 'child', 'Parent'],
    ['Parent', 'parent', 'Child'],
    ['Domestic Partner', undefined, undefined],
  ])('of %s has the patient as %s and the policyholder as %s', (relationship, code, holder) => {
    const of = buildCoverage({ userId, isPrimary: false, insurance: insurance(relationship) }, 0);
    expect(of.relationship?.coding?.[0]?.code).toBe(code);
    expect(of.relationship?.text).toBe(relationship);
    expect(of.order).toBe(2);
    expect(parseCoverageId(of.id ?? '')).toEqual({
      userId: userId.toLowerCase(),
      isPrimary: false,
    });
    const isSelf = relationship === 'Self';
    expect(of.subscriber?.reference).toBe(
      isSelf ? `Patient/${userId.toLowerCase()}` : '#subscriber',
    );
    const [related] = (of.contained ?? []) as { relationship?: { text?: string }[] }[];
    expect(related === undefined).toBe(isSelf);
    expect(related?.relationship?.[0]?.text).toBe(holder);
  });
});

describe('mindfulness minutes', () => {
  it('are found by id, in offsets that FHIR has', () => {
    const source = { provider: 'oura', type: 'ring' };
    const point = {
      ...{ start: '1969-12-31t23:59:59+00:00', end: '1970-01-01T23:30:00+23:30' },
      ...{ unit: 'min' as const, value: 12.5 },
    };
    const of = buildMindfulnessObservation({ userId, source, point }, 0);
    const { id = '', effectivePeriod, category } = of;
    expect(category?.[0]?.coding?.[0]?.code).toBe('activity');
    const others = [
      { source: { ...source, type: 'watch' }, point },
      { source, point: { ...point, end: '1970-01-01T23:31:00+23:30' } },
    ].map((other) => buildMindfulnessObservation({ userId, ...other }, 0).id);
    expect(new Set([id, ...others]).size).toBe(3);
    expect(id).toMatch(/^[A-Za-z0-9.-]{1,64}$/u);
    expect(parseObservationId(id)).toEqual({ userId: userId.toLowerCase(), startUs: -1_000_000 });
    expect(effectivePeriod).toEqual({
      start: '1969-12-31T23:59:59.000000Z',
      end: '1970-01-01T00:00:00.000000Z',
    });
  });

  it.each(['', 'x', userId, `${userId}.`, `${userId.toLowerCase()}.zzzzzzzzzzz.1`, '../x'])(
    'have not the id %j',
    (id) => {
      expect(parseObservationId(id)).toBeUndefined();
      expect(parseCoverageId(id)).toBeUndefined();
    },
  );
});

it.each([
  ['sample_with_lab', 'active'],
  ['failed', 'revoked'],
  ['teleported', 'unknown'],
  [null, 'unknown'],
])('an order that is %s is %s', (status, expected) => {
  const order = { id: userId, team_id: userId, user_id: userId, status };
  const physician = { first_name: 'Mei', last_name: 'Sato', npi: '1234567893' };
  const request = buildServiceRequest({ ...order, physician }, 0);
  expect(request.status).toBe(expected);
  expect(request.requester).toEqual({
    type: 'Practitioner',
    identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
    display: 'Mei Sato',
  });
});

it('a page has links, and no entry where it is empty', () => {
  const page = { entries: [], self: 'https://a', total: 0 };
  const bundle = (of: SearchPage) => JSON.parse(buildSearchset(of)) as Bundle;
  expect(bundle(page).entry).toBeUndefined();
  expect(bundle({ ...page, next: 'https://b' }).link).toEqual([
    { relation: 'self', url: 'https://a' },
    { relation: 'next', url: 'https://b' },
  ]);
});

it('an error has the type of our problem, and an issue for each rejected parameter', () => {
  const errors = [
    { parameter: '_count', reason: 'must be 0 or more' },
    { parameter: 'date', reason: 'must be a date' },
  ];
  const problem = { type: '/problems/invalid-parameters', title: 'Invalid', status: 422, errors };
  const { issue } = buildOperationOutcome(problem);
  expect(issue.map(({ code, diagnostics }) => [code, diagnostics])).toEqual([
    ['invalid', '_count must be 0 or more'],
    ['invalid', 'date must be a date'],
  ]);
  expect(issue[0]?.details?.coding?.[0]?.code).toBe(problem.type);
});
