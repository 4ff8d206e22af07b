import { isUuid } from '@caregate/domain';
import { OperatorError } from '@caregate/data-store/errors';
import { CidrList } from '../config/cidr-list.ts';
import { isRole, isScope, type Role, ROLES, type Scope } from '../operations/operations.ts';

const dayMs = 86_400_000;
const DEFAULT_LIFETIME_MS = 90 * dayMs;
const LONGEST_LIFETIME_MS = 365 * dayMs;
export const DEFAULT_OVERLAP_MS = 7 * dayMs;

export class RuleError extends OperatorError {
  override readonly name = 'RuleError';
  /** The command line option; undefined for the positional argument. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message, 2);
    this.option = option;
  }
}

export function checkExpiry(nowMs: number, expires: Date | undefined): number {
  if (expires === undefined) {
    return nowMs + DEFAULT_LIFETIME_MS;
  }
  const expiresMs = expires.getTime();
  if (!(expiresMs > nowMs)) {
    throw new RuleError('The expiry date must be in the future.', 'expires');
  }
  if (expiresMs > nowMs + LONGEST_LIFETIME_MS) {
    throw new RuleError('A key can be valid for at most 365 days.', 'expires');
  }
  return expiresMs;
}

export function checkScopes(role: Role, scopes: readonly string[]): readonly Scope[] {
  if (role !== 'integration' && scopes.length > 0) {
    throw new RuleError(
      `Scopes are only allowed for the role integration, not for ${role}.`,
      'scopes',
    );
  }
  if (role === 'integration' && scopes.length === 0) {
    throw new RuleError('A key of the role integration requires at least one scope.', 'scopes');
  }
  return [...new Set(scopes)].map((scope) => {
    if (!isScope(scope)) {
      throw new RuleError(`Unknown scope "${scope}".`, 'scopes');
    }
    return scope;
  });
}

export function checkTeam(teamId: string): string {
  if (!isUuid(teamId)) {
    throw new RuleError('The team id must be a UUID.', 'team');
  }
  return teamId.toLowerCase();
}

export function checkCidrs(cidrs: readonly string[]): readonly string[] {
  try {
    new CidrList(cidrs);
    return cidrs;
  } catch (error) {
    throw new RuleError((error as Error).message, 'cidr');
  }
}

/** Roles that people can have. An integration is a program. */
export const PERSON_ROLES: readonly Role[] = ROLES.filter((role) => role !== 'integration');

export function checkPersonRole(role: string): Role {
  if (!isRole(role) || !PERSON_ROLES.includes(role)) {
    throw new RuleError(`The role must be one of ${PERSON_ROLES.join(', ')}.`, 'role');
  }
  return role;
}

export function checkEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/u.test(lower)) {
    throw new RuleError('The e-mail address must have the form name@example.org.', 'email');
  }
  return lower;
}

export const checkLabel = (label: string): string => checkLine(label, 'A label', 1, 'label');
export const checkName = (name: string): string => checkLine(name, 'A name', 1, 'name');
export const checkBadge = (badge: string): string => checkLine(badge, 'A badge', 4);

function checkLine(text: string, what: string, least: number, option?: string): string {
  const trimmed = text.trim();
  if (trimmed.length < least || trimmed.length > 100 || /\p{Cc}/u.test(trimmed)) {
    throw new RuleError(`${what} must be ${least} to 100 characters on one line.`, option);
  }
  return trimmed;
}
