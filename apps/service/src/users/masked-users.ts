import type { UserList } from '@caregate/domain';

/** An allow-list, so that unknown imported fields are masked, too. */
export const UNMASKED_USER_FIELDS = [
  'user_id',
  'team_id',
  'client_user_id',
  'created_on',
  'fallback_time_zone',
  'ingestion_start',
  'ingestion_end',
] as const;

/**
 * Keeps only the unmasked fields of each user, with an empty `connected_sources`. @param body JSON text of a list of
 * users
 */
export function maskUsersPage(body: string): string {
  const { users, total, offset, limit } = JSON.parse(body) as {
    readonly users: readonly Readonly<Record<string, unknown>>[];
  } & Omit<UserList, 'users'>;
  return JSON.stringify({ users: users.map(maskUser), total, offset, limit });
}

function maskUser(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const field of UNMASKED_USER_FIELDS) {
    if (Object.hasOwn(user, field)) {
      masked[field] = user[field];
    }
  }
  masked['connected_sources'] = [];
  return masked;
}
