import type { NamedPerson } from '@caregate/sample-data';
import type { StoreRecord } from '../import/record.ts';
import { bytes, userId } from '../store.testing.ts';

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
