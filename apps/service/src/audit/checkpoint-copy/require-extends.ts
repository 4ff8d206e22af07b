import { AuditLogError, BadCheckpointError, VerifierKey } from '@caregate/audit-log';
import type { AuditTrail } from '../trail/audit-trail.ts';

type Trail = Pick<AuditTrail, 'checkpoint' | 'consistency' | 'verifierKey'>;

export interface Extension {
  /** `shorter`: the log has fewer records; `other`: its first records are not those of the checkpoint. */
  readonly outcome: 'extends' | 'shorter' | 'other';
  readonly from: number;
  readonly to: number;
}

/** @throws BadCheckpointError if the checkpoint is not signed by a key of the log */
export async function extensionOf(trail: Trail, note: string): Promise<Extension> {
  const now = VerifierKey.parse(await trail.verifierKey()).open(await trail.checkpoint());
  const earlier = now.keys.open(note);
  const sizes = { from: earlier.size, to: now.size };
  if (earlier.size > now.size) {
    return { outcome: 'shorter', ...sizes };
  }
  if (earlier.size === 0) {
    return { outcome: 'extends', ...sizes };
  }
  const { hashes } = await trail.consistency({ from: earlier.size, to: now.size });
  const isExtended = now.extends(earlier, hashes);
  return { outcome: isExtended ? 'extends' : 'other', ...sizes };
}

/** `where` is the checkpoint's file, for the message. @throws AuditLogError if the log was rolled back, truncated or changed */
export async function requireExtends(trail: Trail, note: string, where: string): Promise<void> {
  const { outcome, from, to } = await extensionOf(trail, note).catch((error: unknown) => {
    if (error instanceof BadCheckpointError) {
      throw refusal(where, 'is not a checkpoint signed by the key of this audit log', error);
    }
    throw error;
  });
  switch (outcome) {
    case 'extends':
      return;
    case 'shorter':
      throw refusal(
        where,
        `has ${from} records, but the audit log has ${to}: it was rolled back to an earlier state, or truncated`,
      );
    case 'other':
      throw refusal(
        where,
        `does not fit the audit log: the first ${from} records of the log are not those that it signs`,
      );
  }
}

function refusal(where: string, what: string, cause?: unknown): AuditLogError {
  return new AuditLogError(
    `${where} ${what}. The service was not started. If this is intended (a backup was restored, or the key was replaced), move that file to another place, keep it as evidence of what is missing, and start again.`,
    cause,
  );
}
