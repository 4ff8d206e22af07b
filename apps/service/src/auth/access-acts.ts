import { createHash, randomBytes } from 'node:crypto';
import type { AuditAct } from '../audit/audit-entries.ts';

export type ActDecision = 'allowed' | 'denied' | 'failed';

/**
 * Resolves when the record is durable. The decision `failed` records that an earlier action didn't happen. @throws if
 * it can't be recorded; the action MUST NOT take effect then
 */
export type RecordAct = (act: AuditAct, decision: ActDecision) => Promise<void>;

export function createSalt(): Buffer {
  return randomBytes(16);
}

/**
 * Returns the SHA-256 of salt and UTF-8 text in hexadecimal. In the audit log, it reveals no free text, but proves a
 * later change of the access data.
 */
export function hashWithSalt(salt: Uint8Array, text: string): string {
  return createHash('sha256').update(salt).update(text, 'utf8').digest('hex');
}
