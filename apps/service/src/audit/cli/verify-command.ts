import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuditBrokenError, type Breach } from '../log/audit-broken-error.ts';
import { auditKeyFile, loadKey } from '../log/audit-key.ts';
import { AuditReader } from '../log/audit-reader.ts';
import {
  BadCheckpointError,
  parseVerifierKey,
  verifierKey,
  type VerifierKey,
} from '../log/checkpoint.ts';
import { verifyLog } from '../verify.ts';

export interface VerifyFlags {
  readonly data: string;
  readonly fromCheckpoint?: string;
  readonly publicKey?: string;
}

export const exitCodes: Readonly<Record<Breach, number>> = {
  altered: 2,
  truncated: 3,
  forked: 4,
  bad_signature: 5,
  gap: 6,
};

/** Verifies the log of a data folder, prints what was found, and gives the exit code. */
export function runVerify(flags: VerifyFlags): number {
  const reader = new AuditReader(flags.data);
  try {
    const { key, from } = publicKey(flags, reader);
    const outside =
      flags.fromCheckpoint === undefined ? undefined : readFileSync(flags.fromCheckpoint, 'utf8');
    const began = performance.now();
    const report = verifyLog(reader.db, {
      key,
      ...(outside !== undefined && { outside }),
      ...(process.stderr.isTTY && { onProgress }),
    });
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(
      [
        `The log holds: ${report.size} records, ${report.checkpoints} checkpoints, verified in ${seconds.toFixed(1)} s.`,
        `Root ${report.root.toString('base64')}`,
        ...(report.cut > 0 ? [`Records 0 to ${report.cut - 1} were cut for retention.`] : []),
        `Public key from ${from}.`,
        outside === undefined
          ? 'No checkpoint from outside was given: a log rewritten as a whole by someone with its key would pass.'
          : 'The given checkpoint is a checkpoint of this log.',
        '',
      ].join('\n'),
    );
    return 0;
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      process.stderr.write(`The log does NOT hold (${error.breach}): ${error.message}.\n`);
      return exitCodes[error.breach];
    }
    if (error instanceof BadCheckpointError) {
      process.stderr.write(`The given checkpoint does NOT hold: ${error.message}.\n`);
      return exitCodes.bad_signature;
    }
    throw error;
  } finally {
    reader.close();
  }
}

/** The key that is asked for, or that of the data folder, or, in a copy without it, the one that the log names. */
function publicKey(flags: VerifyFlags, reader: AuditReader): { key: VerifierKey; from: string } {
  const { publicKey: given, data } = flags;
  if (given !== undefined) {
    const text = given.includes('+') ? given : readFileSync(given, 'utf8');
    return { key: parseVerifierKey(text), from: 'the command line' };
  }
  const identity = reader.identity();
  const own = loadKey(join(data, auditKeyFile));
  return own === undefined
    ? {
        key: parseVerifierKey(identity.verifierKey),
        from: 'the log itself: compare it with one that was kept elsewhere',
      }
    : { key: verifierKey(identity.origin, own), from: 'the data folder' };
}

function onProgress(records: number, of: number): void {
  process.stderr.write(`\r${Math.floor((100 * records) / of)} % of ${of} records\r`);
}
