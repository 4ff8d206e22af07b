import type { AllowedPrincipal } from './principal.ts';

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

/** @param users JSON texts with commas between them; `connected_sources` is required, so it stays as an empty list */
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
