/** Roles. A principal has exactly one, so `auditor` and `admin` are never combined. */
export const ROLES = [
  'front_desk',
  'clinician',
  'billing',
  'auditor',
  'admin',
  'integration',
] as const;
export type Role = (typeof ROLES)[number];

/** Scopes of keys of the role `integration`; the other roles have none. */
export const SCOPES = [
  'users:list',
  'users:read',
  'users:search',
  'insurance:read',
  'lab-results:read',
  'timeseries:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
