import type { FoundPeople } from '@caregate/domain';
import { invalidParameters } from '../../problem/problem-error.ts';
import { peopleQueryOf } from '@caregate/data-store';
import { EXAMPLE_USER_ID, type Read } from '../read.ts';

/** One list without scrolling. */
const DEFAULT_LIMIT = 8;

export const searchPeople: Read<'searchPeople'> = {
  scope: null,
  category: 'user',
  fhir: { form: 'search' },
  about: {
    tag: 'Desk',
    summary: 'Search people',
    description:
      'By names in any order, parts of them, without accents, and by sound if nothing matches; by a birth date in the usual spellings, digits of a phone number, or an id, with or without its signs; where nobody has it, whose id is one slip from it. Best first. Who may not see lab results is not shown what only lab reports say. A team whose data comes from an upstream is searched by its lab orders only (`"searched": "orders"`). The text is recorded in the audit log only as an HMAC, and the people as listed.',
    problems: [413, 415, 422, 501],
    example: {
      people: [
        {
          user_id: EXAMPLE_USER_ID,
          client_user_id: 'MRN-000101',
          name: 'Amara Example',
          name_source: 'info',
          name_as_of: '2026-11-07',
          birth_date: '1986-04-12',
          birth_date_source: 'info',
          phone: '+12125550123',
          phone_source: 'info',
          town: 'New York, NY',
          town_source: 'info',
          last_seen: '2026-11-10',
          matched: 'name',
        },
      ],
      searched: 'people',
      total: 1,
      more: false,
    },
  },
  async answer(call) {
    const { text, limit = DEFAULT_LIMIT } = call.body;
    const query = peopleQueryOf(text);
    if ('reason' in query) {
      throw invalidParameters({ parameter: 'text', reason: query.reason });
    }
    const labs = call.allows('labOrderResult');
    const { hits, total, more, searched } = await call.find({ query, limit, labs });
    const people = hits.map(({ person }) => person);
    const patients = people.map(({ user_id: userId }) => userId);
    call.disclose({ patients, recordCount: patients.length, shown: 'listed' });
    return JSON.stringify({ people, searched, total, more } satisfies FoundPeople);
  },
};
