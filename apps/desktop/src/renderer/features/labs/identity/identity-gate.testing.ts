import { needsLook } from './identity-check.ts';
import type { IdentityCheck } from './identity-check.ts';
import type { IdentityGate } from './identity-gate.ts';

export function gateOf(check: IdentityCheck, reason?: string): IdentityGate {
  const nothing = (): void => undefined;
  return {
    check,
    isBlocked: needsLook(check) && reason === undefined,
    reason,
    confirm: nothing,
    attempted: undefined,
    onAttempt: nothing,
  };
}

export const nobody: IdentityGate = gateOf({ kind: 'notComparable', lacking: 'person' });
