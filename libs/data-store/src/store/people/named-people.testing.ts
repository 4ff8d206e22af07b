import scripts from './named-people.testing.json' with { type: 'json' };
import type { StoreRecord } from '../import/record.ts';
import { bytes, userId } from '../store.testing.ts';

export interface NamedPerson {
  readonly n: number;
  readonly given: string;
  readonly family: string;
  readonly dob: string;
  readonly phone: string;
  readonly clientUserId: string;
  /** Whether the name is written with the family name first and without a space. */
  readonly isDense: boolean;
}

const birthDates = ['1986-04-12', '1986-12-04', '2003-02-01', '1931-07-30', '2024-02-29'];

/**
 * Generates people with names in many scripts. The same `count` gives the same people; the more people, the more of
 * them share a name, a birth date (twins) or both.
 */
export function generateNamedPeople(count: number): NamedPerson[] {
  return Array.from({ length: count }, (_, n) => {
    const { given = [], family = [], isDense = false } = scripts[n % scripts.length] ?? {};
    const round = Math.floor(n / scripts.length);
    // Two consecutive people share a name; of three, two share a birth date.
    const name = Math.floor(round / 2);
    return {
      n,
      given: given[name % given.length] ?? '',
      family: family[(name + Math.floor(name / given.length)) % family.length] ?? '',
      dob: birthDates[Math.floor((round * 2) / 3) % birthDates.length] ?? '',
      phone: `+4144${String(6_680_000 + n * 37).padStart(7, '0')}`,
      clientUserId: `MRN-${String(n).padStart(6, '0')}`,
      isDense,
    };
  });
}

/** Returns the records that `caregate import` would store for a person. */
export function recordsOfPerson(person: NamedPerson, team: string): StoreRecord[] {
  const { n, given, family, dob, phone, clientUserId } = person;
  const ids = { team_id: bytes(team), user_id: bytes(userId(n)) };
  const info = { first_name: given, last_name: family, dob, phone_number: phone };
  return [
    {
      ...{ kind: 'user', ...ids, client_user_id: clientUserId, created_us: n },
      body: JSON.stringify({ created_on: '2024-01-01T00:00:00Z' }),
    },
    { kind: 'user_info', ...ids, recorded_us: n, body: JSON.stringify(info) },
  ];
}
