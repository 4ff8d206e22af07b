import scripts from './data/named-people.json' with { type: 'json' };
import type { UserEnvelope, UserInfoEnvelope } from '@caregate/domain';

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
export function generateNamedPeople(count: number, chart = 'MRN'): NamedPerson[] {
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
      clientUserId: `${chart}-${String(n).padStart(6, '0')}`,
      isDense,
    };
  });
}

export function buildNamedPersonEnvelopes(
  person: NamedPerson,
  owner: { readonly teamId: string; readonly userId: string },
): [UserEnvelope, UserInfoEnvelope] {
  const { teamId: team_id, userId: user_id } = owner;
  const at = '2024-01-01T00:00:00Z';
  const { given: first_name, family: last_name, dob, phone: phone_number } = person;
  return [
    {
      kind: 'user',
      user: {
        ...{ user_id, team_id, client_user_id: person.clientUserId, created_on: at },
        connected_sources: [],
        fallback_time_zone: { id: 'Europe/Zurich', source_slug: 'manual', updated_at: at },
      },
    },
    {
      ...{ kind: 'user_info', team_id, user_id, recorded_at: at },
      info: { first_name, last_name, dob, phone_number },
    },
  ];
}
