import {
  AuditLogError,
  BadCheckpointError,
  openCheckpoint,
  parseVerifierKey,
  verifyConsistency,
  type Checkpoint,
} from '@caregate/audit-log';
import type { AuditTrail } from '../trail/audit-trail.ts';

type Trail = Pick<AuditTrail, 'checkpoint' | 'consistency' | 'verifierKey'>;

/**
 * Requires that the log of this instance extends a checkpoint of it that was kept elsewhere.
 *
 * @param where the file of the checkpoint, for the message
 * @throws AuditLogError if it does not: the log was rolled back, truncated or changed
 */
export async function requireExtends(trail: Trail, note: string, where: string): Promise<void> {
  const key = parseVerifierKey(await trail.verifierKey());
  const open = (text: string): Checkpoint => openCheckpoint(text, key);
  let kept: Checkpoint;
  try {
    kept = open(note);
  } catch (error) {
    if (!(error instanceof BadCheckpointError)) {
      throw error;
    }
    throw refusal(where, 'is not a checkpoint signed by the key of this audit log', error);
  }
  const now = open(await trail.checkpoint());
  if (kept.size > now.size) {
    throw refusal(
      where,
      `has ${kept.size} records, but the audit log has ${now.size}: it was rolled back to an earlier state, or truncated`,
    );
  }
  if (kept.size === 0) {
    return;
  }
  const { hashes } = await trail.consistency({ from: kept.size, to: now.size });
  if (!verifyConsistency(kept.size, now.size, hashes, kept.root, now.root)) {
    throw refusal(
      where,
      `does not fit the audit log: the first ${kept.size} records of the log are not those that it signs`,
    );
  }
}

function refusal(where: string, what: string, cause?: unknown): AuditLogError {
  return new AuditLogError(
    `${where} ${what}. The service was not started. If this is intended (a backup was restored, or the key was replaced), move that file to another place, keep it as evidence of what is missing, and start again.`,
    cause,
  );
}
