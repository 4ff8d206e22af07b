import { SCOPES, type Scope } from '@caregate/domain/operations';

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

export { SCOPES, type Scope };

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
