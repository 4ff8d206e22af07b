import { userInfo } from 'node:os';
import type { ActDecision } from '../auth/access-acts.ts';
import type { Actor } from '../auth/caller.ts';
import type { AuditEntry } from './audit-record.ts';

export const ERASURE_OPERATIONS = { propose: 'proposeErasure', erase: 'erasePerson' } as const;
export const ALARMS = {
  'break-glass': 'breakGlass',
  'break-glass-many': 'breakGlassMany',
  'break-glass-unreviewed': 'breakGlassUnreviewed',
  'disk-space': 'diskSpace',
  'log-interrupted': 'logInterrupted',
  'proof-failed': 'proofFailed',
  'clock-step': 'clockStep',
} as const;
export const ALARM_OPERATIONS: readonly string[] = Object.values(ALARMS);

/** IDs of teams, API keys and grants, and counts. Contains no patient data. */
export interface SystemFacts {
  readonly teamId?: string;
  readonly keyId?: string;
  readonly staffId?: string;
  readonly grantId?: string;
  readonly records?: number;
  readonly unreviewed?: number;
  readonly grants?: number;
  readonly freeBytes?: number;
  readonly totalBytes?: number;
  readonly seconds?: number;
}

export function buildSystemEntry(operation: string, facts: SystemFacts = {}): AuditEntry {
  const { teamId = null, keyId = null, staffId, grantId = null, ...counts } = facts;
  const details = { ...counts, ...(staffId !== undefined && { staff_id: staffId }) };
  return { operation, team_id: teamId, key_id: keyId, break_glass_id: grantId, details };
}

/**
 * An action of a command, or a change of API keys, grants, staff, desks or sessions. Contains IDs and coded values,
 * but no text that a person wrote.
 */
export interface AuditAct extends AuditEntry {
  /** The actor, or the desk if nobody has signed in yet; undefined for the operating system user who runs a command. */
  readonly by?: Actor | { readonly deskId: string } | undefined;
}

export function buildActEntry({ by, ...entry }: AuditAct): AuditEntry {
  return {
    ...entry,
    ...(by === undefined ? { actor_id: describeCommandUser() } : toActorFields(by)),
  };
}

export const NOT_COMMITTED = 'not_committed';

const REASONS: Readonly<Record<ActDecision, string | null>> = {
  allowed: null,
  denied: 'unknown_person',
  failed: NOT_COMMITTED,
};

export function buildAccessActEntry(act: AuditAct, decision: ActDecision): AuditEntry {
  return buildActEntry({
    ...act,
    data_category: 'access',
    decision,
    reason_code: REASONS[decision],
  });
}

export function toActorFields(
  actor: Actor | { readonly deskId: string },
): Pick<AuditEntry, 'actor_type' | 'actor_id' | 'key_id' | 'role' | 'session_id' | 'device_id'> {
  if ('keyId' in actor) {
    const { keyId, role } = actor;
    return { actor_type: 'key', actor_id: keyId, key_id: keyId, role };
  }
  if ('staffId' in actor) {
    const { staffId, role, sessionId, deskId } = actor;
    return {
      ...{ actor_type: 'staff', actor_id: staffId, key_id: null, role },
      ...{ session_id: sessionId, device_id: deskId },
    };
  }
  return { actor_type: 'anonymous', key_id: null, device_id: actor.deskId };
}

export function describeCommandUser(): string {
  let user = 'unknown';
  try {
    user = userInfo().username;
  } catch {
    // The operating system has no name for this user.
  }
  return `command line: ${user}`;
}
