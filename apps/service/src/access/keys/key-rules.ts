import { isUuid } from '@caregate/domain';
import { OperatorError } from '../../config/operator-error.ts';
import { CidrError, CidrList } from '../../http/address/cidr-list.ts';
import { isScope, type Role, type Scope } from '../../operations/roles.ts';

const dayMs = 86_400_000;
const DEFAULT_LIFETIME_MS = 90 * dayMs;
const LONGEST_LIFETIME_MS = 365 * dayMs;
export const DEFAULT_OVERLAP_MS = 7 * dayMs;

/** `field` is the invalid argument. */
export class KeyRuleError extends OperatorError {
  override readonly name = 'KeyRuleError';
  readonly field:
    | 'team'
    | 'role'
    | 'label'
    | 'scopes'
    | 'expires'
    | 'cidr'
    | 'overlap'
    | 'key'
    | 'staff';

  constructor(field: KeyRuleError['field'], message: string) {
    super(message, 2);
    this.field = field;
  }
}

/** @returns milliseconds since 1970 */
export function expiryOf(nowMs: number, expires: Date | undefined): number {
  if (expires === undefined) {
    return nowMs + DEFAULT_LIFETIME_MS;
  }
  const expiresMs = expires.getTime();
  if (!(expiresMs > nowMs)) {
    throw new KeyRuleError('expires', 'The expiry date must be in the future.');
  }
  if (expiresMs > nowMs + LONGEST_LIFETIME_MS) {
    throw new KeyRuleError('expires', 'A key can be valid for at most 365 days.');
  }
  return expiresMs;
}

export function checkScopes(role: Role, scopes: readonly string[]): readonly Scope[] {
  if (role !== 'integration' && scopes.length > 0) {
    throw new KeyRuleError(
      'scopes',
      `Scopes are only allowed for the role integration, not for ${role}.`,
    );
  }
  if (role === 'integration' && scopes.length === 0) {
    throw new KeyRuleError('scopes', 'A key of the role integration requires at least one scope.');
  }
  return [...new Set(scopes)].map((scope) => {
    if (!isScope(scope)) {
      throw new KeyRuleError('scopes', `Unknown scope "${scope}".`);
    }
    return scope;
  });
}

export function checkLabel(label: string): string {
  const trimmed = label.trim();
  if (trimmed === '' || trimmed.length > 100 || /\p{Cc}/u.test(trimmed)) {
    throw new KeyRuleError('label', 'A label must be 1 to 100 characters on one line.');
  }
  return trimmed;
}

export function checkTeam(teamId: string): string {
  if (!isUuid(teamId)) {
    throw new KeyRuleError('team', 'The team id must be a UUID.');
  }
  return teamId.toLowerCase();
}

export function checkCidrs(cidrs: readonly string[]): readonly string[] {
  try {
    new CidrList(cidrs);
    return cidrs;
  } catch (error) {
    if (error instanceof CidrError) {
      throw new KeyRuleError('cidr', error.message);
    }
    throw error;
  }
}
