import { OperatorError } from '../../config/operator-error.ts';
import { isRole, ROLES, type Role } from '../../operations/roles.ts';

/** `field` is the invalid argument. */
export class StaffRuleError extends OperatorError {
  override readonly name = 'StaffRuleError';
  readonly field: 'team' | 'name' | 'role' | 'subject' | 'email' | 'badge' | 'staff' | 'desk';

  constructor(field: StaffRuleError['field'], message: string) {
    super(message, 2);
    this.field = field;
  }
}

/** An integration is a program. */
export const PERSON_ROLES: readonly Role[] = ROLES.filter((role) => role !== 'integration');

export function checkPersonRole(role: string): Role {
  if (!isRole(role) || !PERSON_ROLES.includes(role)) {
    throw new StaffRuleError('role', `The role must be one of ${PERSON_ROLES.join(', ')}.`);
  }
  return role;
}

export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 100 || /\p{Cc}/u.test(trimmed)) {
    throw new StaffRuleError('name', 'A name must be 1 to 100 characters on one line.');
  }
  return trimmed;
}

export function checkEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/u.test(lower)) {
    throw new StaffRuleError('email', 'The e-mail address must have the form name@example.org.');
  }
  return lower;
}

export function checkBadge(badge: string): string {
  const trimmed = badge.trim();
  if (trimmed.length < 4 || trimmed.length > 100 || /\p{Cc}/u.test(trimmed)) {
    throw new StaffRuleError('badge', 'A badge must be 4 to 100 characters on one line.');
  }
  return trimmed;
}
