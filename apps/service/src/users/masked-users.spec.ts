import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { UNMASKED_USER_FIELDS, maskUsersPage } from './masked-users.ts';

const shown = {
  user_id: 'u',
  team_id: 't',
  client_user_id: 'patient-0017',
  created_on: '2026-01-15T09:30:00+00:00',
  fallback_time_zone: { id: 'Europe/Berlin' },
  ingestion_start: '2026-01-01',
  ingestion_end: null,
};
const pageWith = (users: unknown): string =>
  JSON.stringify({ users, total: 2, offset: 0, limit: 100, other: 'never seen before' });
const page = pageWith([
  {
    ...shown,
    fallback_birth_date: { value: '1980-02-03' },
    connected_sources: [{ source: { slug: 'oura' } }],
    birth_place: 'never seen before',
  },
  { user_id: 'v' },
]);

describe('a masked page of users', () => {
  it('has no birth date, no sources and no field that nobody knows', () => {
    expect(JSON.parse(maskUsersPage(page))).toEqual({
      users: [
        { ...shown, connected_sources: [] },
        { user_id: 'v', connected_sources: [] },
      ],
      ...{ total: 2, offset: 0, limit: 100 },
    });
  });

  it('never holds a masked field, whatever the users hold', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'fallback_birth_date',
        '__proto__',
        'connected_sources',
        ...UNMASKED_USER_FIELDS,
      ),
    );
    const users = fc.array(fc.dictionary(name, fc.jsonValue()));
    fc.assert(
      fc.property(users, (some) => {
        const { users: masked } = JSON.parse(maskUsersPage(pageWith(some))) as {
          users: Record<string, unknown>[];
        };
        expect(masked).toHaveLength(some.length);
        masked.forEach((user, index) => {
          const { connected_sources: sources, ...rest } = user;
          expect(sources).toEqual([]);
          for (const [field, value] of Object.entries(rest)) {
            expect(UNMASKED_USER_FIELDS).toContain(field);
            expect(value).toEqual(JSON.parse(JSON.stringify(some[index]?.[field])));
          }
        });
      }),
    );
  });
});
