import { bytesIfLong } from '../../http/json-answer.ts';
import type { Read } from '../read.ts';
import { resolveUser } from './resolve-user.ts';

const DEFAULT_LIMIT = 100;

export const listUsers: Read<'listUsers'> = {
  scope: 'users:list',
  masked: ['front_desk', 'billing'],
  category: 'user',
  fhir: { form: 'search' },
  about: {
    tag: 'Users',
    summary: 'List the users of the team',
    description:
      'Sorted by creation time, then by id. `/v2/user/` (the path in the interface document) is an alias. A page past the end is empty.',
    problems: [422],
    example: {
      users: [resolveUser.about.example],
      total: 1,
      offset: 0,
      limit: 100,
    },
  },
  async answer(call) {
    const offset = call.query.offset ?? 0;
    const limit = call.query.limit ?? DEFAULT_LIMIT;
    const page = await call.find({ offset, limit });
    const { ids, total } = page;
    call.disclose({ patients: ids, recordCount: ids.length });
    const users = maskUsersPage(call.sees, page.users);
    // Unknown members are not masked: only for those who see all.
    const rest = call.sees === 'all' ? (page.rest ?? '') : '';
    return bytesIfLong(
      '{"users":[',
      users,
      `],"total":${total},"offset":${offset},"limit":${page.limit ?? limit}${rest}}`,
    );
  },
};

/** An allow-list, so that unknown imported fields are hidden, too. */
export const UNMASKED_USER_FIELDS = [
  'user_id',
  'team_id',
  'client_user_id',
  'created_on',
  'fallback_time_zone',
  'ingestion_start',
  'ingestion_end',
] as const;

/** Under `mask`, the required `connected_sources` is an empty list. @param users JSON texts with commas between them */
export function maskUsersPage(sees: 'all' | 'masked', users: string): string {
  return sees === 'all'
    ? users
    : (JSON.parse(`[${users}]`) as Readonly<Record<string, unknown>>[])
        .map((user) => JSON.stringify(maskedUser(user)))
        .join(',');
}

function maskedUser(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const field of UNMASKED_USER_FIELDS) {
    if (Object.hasOwn(user, field)) {
      masked[field] = user[field];
    }
  }
  masked['connected_sources'] = [];
  return masked;
}
