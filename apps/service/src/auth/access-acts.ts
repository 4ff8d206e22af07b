import { createHash, randomBytes } from 'node:crypto';
import type { AuditAct } from '../audit/audit-entries.ts';

export type ActDecision = 'allowed' | 'denied' | 'failed';

/** Resolves once the act is durable; `failed` says that it did not happen. @throws: then the act MUST NOT take effect */
export type RecordAct = (act: AuditAct, decision: ActDecision) => Promise<void>;

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** SHA-256 of salt and UTF-8 text, in hex: the log reveals no free text, and proves a later edit of the access data. */
export function saltedHash(salt: Uint8Array, text: string): string {
  return createHash('sha256').update(salt).update(text, 'utf8').digest('hex');
}
