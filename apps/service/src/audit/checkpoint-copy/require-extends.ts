import {
  AuditBrokenError,
  AuditLogError,
  BadCheckpointError,
  parseCheckpoint,
} from '@caregate/audit-log';
import type { AuditTrail } from '../trail/audit-trail.ts';

/** @param where the checkpoint's file, for the message. @throws AuditLogError if the log was rolled back, truncated or changed */
export async function requireExtends(
  trail: Pick<AuditTrail, 'requireExtends'>,
  note: string,
  where: string,
): Promise<void> {
  try {
    await trail.requireExtends({ ...parseCheckpoint(note), what: where });
  } catch (error) {
    if (error instanceof AuditBrokenError || error instanceof BadCheckpointError) {
      throw new AuditLogError(
        `${where} does not fit the audit log, which was rolled back to an earlier state, truncated or replaced: ${error.message}. The service was not started. If this is intended (a backup was restored), move that file to another place, keep it as evidence of what is missing, and start again.`,
        { cause: error },
      );
    }
    throw error;
  }
}
