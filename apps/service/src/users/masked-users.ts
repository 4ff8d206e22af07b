/** An allow-list, so that imported fields that we do not know are masked, too. */
export const UNMASKED_USER_FIELDS = [
  'user_id',
  'team_id',
  'client_user_id',
  'created_on',
  'fallback_time_zone',
  'ingestion_start',
  'ingestion_end',
] as const;

/** Leaves only the unmasked fields, and an empty list as `connected_sources`. @param users JSON texts with commas between them */
export function maskUsersPage(users: string): string {
  return (JSON.parse(`[${users}]`) as Readonly<Record<string, unknown>>[])
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
