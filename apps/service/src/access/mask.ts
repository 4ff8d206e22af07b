import type { AllowedPrincipal } from './principal.ts';

/**
 * Fields of a listed user under `mask`. An allow-list, so that unknown imported fields are hidden, too.
 */
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
 * The users of a list page as the principal may see them: the same text, or each user without `fallback_birth_date`,
 * without unknown fields, and with `connected_sources` empty (the field is required, so it stays as an empty list).
 *
 * @param users JSON texts of listed users with commas between them
 */
export function maskUsersPage(principal: Pick<AllowedPrincipal, 'sees'>, users: string): string {
  return principal.sees === 'all'
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
