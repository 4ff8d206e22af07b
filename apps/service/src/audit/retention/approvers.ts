import type { KeyObject } from 'node:crypto';
import {
  type Approver,
  APPROVER_OPERATIONS,
  type AuditEntry,
  type CutAct,
  endorseApprover,
  enrolApprover,
  type LogSurvey,
  RetentionError,
  revokeApprover,
  surveyLog,
  type VerifierKey,
} from '@caregate/audit-log';
import type { AccessStore } from '../../access/access-store.ts';
import type { KeyPrincipal } from '../../access/principal.ts';
import { commandEntry } from '../system-record.ts';
import type { CutStore } from './cut-store.ts';
import { deniedEntry } from './retention.ts';

/** Commands run on this machine: a key restricted to networks must allow loopback. */
const HERE = '127.0.0.1';

/** Who holds an admin key. @throws RetentionError */
export type AdminCheck = () => Promise<KeyPrincipal>;

export async function listApprovers(store: CutStore): Promise<readonly Approver[]> {
  return (await surveyLog(store.source)).approvers.all;
}

/**
 * Enrols the public half of an approver's key, by an admin.
 *
 * @returns whether two approvers have to endorse it first
 * @throws RetentionError, which is also recorded
 */
export async function enrol(
  store: CutStore,
  key: VerifierKey,
  admin: AdminCheck,
): Promise<{ readonly isPending: boolean }> {
  return await recorded(store, APPROVER_OPERATIONS.enrol, async (survey) => {
    const principal = await admin();
    const { act, isPending } = enrolApprover(survey, key);
    return { entry: adminEntry(principal, act), result: { isPending } };
  });
}

/**
 * Endorses an approver, signed with the key of another.
 *
 * @returns the one who endorsed, and whether one more has to
 * @throws RetentionError, which is also recorded
 */
export async function endorse(
  store: CutStore,
  name: string,
  key: KeyObject,
): Promise<{ readonly by: string; readonly isPending: boolean }> {
  const { by } = await recorded(store, APPROVER_OPERATIONS.endorse, (survey) => {
    const { act, by: signer } = endorseApprover(survey, name, key);
    const entry = { ...commandEntry(act.operation, act.details), actorId: signer };
    return Promise.resolve({
      entry: { ...entry, actorType: 'person' } as const,
      result: { by: signer },
    });
  });
  const { approvers } = await surveyLog(store.source);
  return { by, isPending: approvers.inForce(name) === undefined };
}

/**
 * Revokes an approver, by an admin: it takes away a right, so that nobody else has to agree.
 *
 * @returns how many are left
 * @throws RetentionError, which is also recorded
 */
export async function revoke(store: CutStore, name: string, admin: AdminCheck): Promise<number> {
  return await recorded(store, APPROVER_OPERATIONS.revoke, async (survey) => {
    const principal = await admin();
    const act = revokeApprover(survey, name);
    const left = survey.approvers.all.filter(
      (one) => !one.isPending && one.revoked === undefined && one.name !== act.details['approver'],
    );
    return { entry: adminEntry(principal, act), result: left.length };
  });
}

async function recorded<T>(
  store: CutStore,
  operation: string,
  step: (survey: LogSurvey) => Promise<{ readonly entry: AuditEntry; readonly result: T }>,
): Promise<T> {
  try {
    const { entry, result } = await step(await surveyLog(store.source));
    await store.record([entry]);
    return result;
  } catch (error) {
    if (error instanceof RetentionError) {
      await store.record([deniedEntry(operation, error)]);
    }
    throw error;
  }
}

function adminEntry({ keyId, role }: KeyPrincipal, { operation, details }: CutAct): AuditEntry {
  const entry = commandEntry(operation, details);
  const at = entry.actorId === null ? {} : { at: entry.actorId };
  return {
    ...entry,
    actorType: 'key',
    actorId: keyId,
    keyId,
    role,
    details: { ...details, ...at },
  };
}

/** @throws RetentionError unless it is a live key of the role admin */
export async function adminOf(store: AccessStore, presented: string): Promise<KeyPrincipal> {
  const principal = await store.keyCheck.authenticate(presented, HERE);
  if (principal?.role !== 'admin') {
    throw new RetentionError('unauthorized', 'Not a valid key of the role admin.');
  }
  return principal;
}
