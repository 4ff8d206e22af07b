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

/** The failure within a sentence: `record 41 was altered.` */
export function failureText({ message }: AuditBrokenError | BadCheckpointError): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}

/** Verifies the log of a data folder, prints the result, and returns the exit code. */
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
        `Log verified: ${report.size} records, ${report.checkpoints} checkpoints, in ${seconds.toFixed(1)} s.`,
        `Root ${report.root.toString('base64')}`,
        ...(report.cut > 0
          ? [`Records 0 to ${report.cut - 1} were erased by a retention cut.`]
          : []),
        `Public key taken from ${from}.`,
        outside === undefined
          ? 'No external checkpoint was given: a log that was completely rewritten with its own key would pass.'
          : 'The given checkpoint matches this log.',
        '',
      ].join('\n'),
    );
    return 0;
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      process.stderr.write(`Verification failed: ${failureText(error)}\n`);
      return exitCodes[error.breach];
    }
    if (error instanceof BadCheckpointError) {
      process.stderr.write(`Verification failed: ${failureText(error)}\n`);
      return exitCodes.bad_signature;
    }
    throw error;
  } finally {
    reader.close();
  }
}

/** The given key, or that of the data folder, or, in a copy without it, the one stored in the log. */
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
        from: 'the log itself: compare it with a copy kept elsewhere',
      }
    : { key: verifierKey(identity.origin, own), from: 'the data folder' };
}

function onProgress(records: number, of: number): void {
  process.stderr.write(`\r${Math.floor((100 * records) / of)} % of ${of} records\r`);
}
