import type { NamedPerson } from '@caregate/sample-data';
import type { StoreRecord } from '../import/record.ts';
import { bytes, userId } from '../store.testing.ts';

/** As `caregate import` would hand them to the store. */
export function recordsOfPerson(person: NamedPerson, team: string): StoreRecord[] {
  const { n, given, family, dob, phone, clientUserId } = person;
  const ids = { team: bytes(team), user: bytes(userId(n)) };
  const info = { first_name: given, last_name: family, dob, phone_number: phone };
  return [
    {
      ...{ kind: 'user', ...ids, clientUserId, createdUs: n },
      body: JSON.stringify({ created_on: '2024-01-01T00:00:00Z' }),
    },
    { kind: 'user_info', ...ids, recordedUs: n, body: JSON.stringify(info) },
  ];
}
