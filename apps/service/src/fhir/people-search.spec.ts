import type { ImportEnvelope } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import type { Bundle, OperationOutcome, Patient } from 'fhir/r4.js';
import { type Answer, startSpecService } from '../testing/service.testing.ts';

const people = {
  amara: ['Amara', 'Okonkwo', '1986-04-12', 'female'],
  amari: ['Amari', 'Okonkwo', '1988-01-02', 'male'],
  jose: ['José María', "de la O'Shea-Núñez", '1950-05-05', 'M'],
  chioma: ['Chioma', 'Amara', '1986-12-31', 'Female'],
  alex: ['Alex', 'Okonkwo', undefined, 'X'],
} as const;
type Name = keyof typeof people;
const names = Object.keys(people) as Name[];
const idOf = (name: Name): string =>
  `f1e1d000-0000-4000-8000-00000000010${String(names.indexOf(name))}`;
const getName = (id: string | undefined): string => names[Number(id?.at(-1))] ?? '';

const envelopes = names.flatMap((name): ImportEnvelope[] => {
  const [first_name, last_name, dob, gender] = people[name];
  const of = { team_id: sampleTeamId, user_id: idOf(name) };
  return [
    {
      kind: 'user',
      user: {
        ...of,
        client_user_id: name,
        created_on: '2024-01-01T00:00:00+00:00',
        connected_sources: [],
        fallback_time_zone: {
          id: 'Europe/Berlin',
          source_slug: 'manual',
          updated_at: '2024-01-01T00:00:00+00:00',
        },
      },
    },
    {
      ...{ kind: 'user_info', ...of, recorded_at: '2024-01-01T00:00:00+00:00' },
      info: { first_name, last_name, gender, ...(dob !== undefined && { dob }) },
    },
  ] as ImportEnvelope[];
});

const service = await startSpecService(envelopes);
const clinician = await service.key(sampleTeamId);

const ask = (query: string, key = clinician): Promise<Answer> =>
  service.get(`/fhir/r4/Patient?${query}`, undefined, { authorization: `Bearer ${key}` });
const bundleOf = async (query: string, key = clinician): Promise<Bundle> => {
  const answer = await ask(query, key);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.json() as Bundle;
};
const found = async (query: string): Promise<string> => {
  const { entry = [], total } = await bundleOf(query);
  expect(total).toBe(entry.length);
  return entry.map(({ resource }) => getName(resource?.id)).join(' ');
};
const sorted = (text: string): string => text.split(' ').toSorted().join(' ');

describe('people', () => {
  it.each([
    ['name=Okonkwo&gender=female', 'amara'],
    ['name=Okonkwo&gender=http://hl7.org/fhir/administrative-gender|male', 'amari'],
    ['gender=female', 'amara chioma'],
    ['gender=male', 'amari jose'],
    ['gender=other', 'alex'],
    ['family=okonkwo', 'alex amara amari'],
    ['family=Amara', 'chioma'],
    ['given=Amara', 'amara'],
    ['family=Okonkwo&given=Amara', 'amara'],
    ['family=okonkwo&gender=male&birthdate=1988-01-02', 'amari'],
    ['given=jose', 'jose'],
    ['family=nunez', 'jose'],
    ['family=OShea', 'jose'],
    ['family=Okonkwi', ''],
  ])('are found by %s: %s', async (query, expected) => {
    expect(sorted(await found(query))).toBe(expected);
  });

  it.each([
    ['birthdate=1986-04-12', 'amara'],
    ['birthdate=1986', 'amara chioma'],
    ['birthdate=ne1986-04-12', 'amari chioma jose'],
    ['birthdate=ge1986-04-12', 'amara amari chioma'],
    ['birthdate=lt1986-04-12', 'jose'],
    ['birthdate=ge1986&birthdate=lt1988', 'amara chioma'],
    ['name=Okonkwo&birthdate=ge1987', 'amari'],
  ])('are found by %s: %s', async (query, expected) => {
    expect(sorted(await found(query))).toBe(expected);
  });

  it.each([
    ['_sort=birthdate', 'jose amara chioma amari alex'],
    ['_sort=-birthdate', 'amari chioma amara jose alex'],
    ['_sort=-birthdate&family=okonkwo', 'amari amara alex'],
    ['_sort=_lastUpdated&birthdate=ge1988', 'amari'],
  ])('are in the order of %s: %s, on one page and on many', async (query, expected) => {
    expect(await found(query)).toBe(expected);
    const each: string[] = [];
    for (let next: string | undefined = `${query}&_count=1`; next !== undefined;) {
      const { entry = [], link = [] } = await bundleOf(next);
      expect(entry).toHaveLength(1);
      each.push(getName(entry[0]?.resource?.id));
      next = link.find(({ relation }) => relation === 'next')?.url.split('?')[1];
    }
    expect(each.join(' ')).toBe(expected);
  });

  it.each([
    ['gender=F', 'gender'],
    ['birthdate=1986-02-31', 'birthdate'],
    ['family=x', 'family'],
    ['given=a,b', 'given'],
    ['_sort=name', '_sort'],
    ['_sort=birthdate&_sort=_lastUpdated', '_sort'],
    ['family:exact=Okonkwo', 'family:exact'],
  ])('are not searched by %s', async (query, parameter) => {
    const answer = await ask(query);
    const { issue } = answer.json() as OperationOutcome;
    expect([answer.status, issue[0]?.expression?.[0]]).toEqual([400, parameter]);
  });

  it('tell a program without the scope nothing by gender, birth date or their order', async () => {
    const of = { teamId: sampleTeamId, role: 'integration', label: 'x' } as const;
    const { key: lists } = await service.access.keys.create({ ...of, scopes: ['users:list'] });
    const both = ['users:list', 'users:search'] as const;
    const { key: finds } = await service.access.keys.create({ ...of, scopes: both });
    for (const query of [
      ...['gender=female', 'birthdate=ge1986', '_sort=birthdate', '_sort=-birthdate'],
      ...['family=okonkwo', 'given=amara', `_id=${idOf('amara')}&gender=female`],
    ]) {
      expect([query, (await ask(query, lists)).status]).toEqual([query, 403]);
      const { entry = [] } = await bundleOf(query, finds);
      expect(entry.length).toBeGreaterThan(0);
      // Masked, since this API key may not read the infos of users.
      expect(entry.map(({ resource }) => (resource as Patient).birthDate)).not.toContainEqual(
        expect.any(String),
      );
    }
    expect((await ask('_sort=_lastUpdated', lists)).status).toBe(200);
  });
});
