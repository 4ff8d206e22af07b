import { createHash, randomBytes } from 'node:crypto';
import type { AuditAct } from '../audit/audit-entries.ts';

export const ACCESS_ACTS = {
  turnCursors: 'cursorSecretTurned',
  createTeam: 'teamCreated',
  deleteTeam: 'teamDeleted',
  createKey: 'createKey',
  rotateKey: 'rotateKey',
  revokeKey: 'revokeKey',
  grant: 'breakGlass',
  review: 'breakGlassReview',
  endGrant: 'breakGlassEnded',
  addStaff: 'staffAdded',
  disableStaff: 'staffDisabled',
  setBadge: 'badgeSet',
  makeCode: 'deskCodeMade',
  enrolDesk: 'deskEnrolled',
  offerDeskKey: 'deskKeyOffered',
  turnDeskKey: 'deskKeyTurned',
  revokeDesk: 'deskRevoked',
  refuse: 'sessionRefused',
  begin: 'sessionBegun',
  lock: 'sessionLocked',
  unlock: 'sessionUnlocked',
  end: 'sessionEnded',
  setPin: 'pinSet',
  wrongPin: 'pinWrong',
} as const;

/** A change of secrets, keys, grants, people, desks or sessions, as recorded in the audit log: IDs and coded values, no free text. */
export interface AccessAct extends AuditAct {
  readonly operation: (typeof ACCESS_ACTS)[keyof typeof ACCESS_ACTS];
  readonly team_id: string | null;
  readonly details: Readonly<Record<string, string | number>>;
}

export type ActDecision = 'allowed' | 'denied' | 'failed';

/** Resolves once the act is durable; `failed` says that it did not happen. @throws: then the act MUST NOT take effect */
export interface RecordAct {
  (act: AccessAct, decision: ActDecision): Promise<void>;
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** SHA-256 of salt and UTF-8 text, in hex: the log reveals no free text, and proves a later edit of the access data. */
export function saltedHash(salt: Uint8Array, text: string): string {
  return createHash('sha256').update(salt).update(text, 'utf8').digest('hex');
}
