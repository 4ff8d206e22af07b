import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  AuditBrokenError,
  BadCheckpointError,
  NoAuditLogError,
  type Breach,
  type LogIdentity,
  type VerifierKey,
  auditKeyFile,
  formatVerifierKey,
  isBeingWritten,
  loadKey,
  logPaths,
  nodeDisk,
  parseVerifierKey,
  verifierKey,
  verifyFolder,
} from '@caregate/audit-log';
import { openLog } from '../offline/open-log.ts';
import { approversIn, cutLines, notProvedLines } from './cut-lines.ts';

const commandLine = 'the command line';

export interface VerifyFlags {
  readonly data: string;
  readonly fromCheckpoint?: string;
  readonly publicKey?: string;
  /** Public keys of approvers of cuts: a file with one a line, or one key. */
  readonly approvers?: string;
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
export async function runVerify(flags: VerifyFlags): Promise<number> {
  try {
    const { key, from } = publicKey(flags);
    const outside =
      flags.fromCheckpoint === undefined ? undefined : readFileSync(flags.fromCheckpoint, 'utf8');
    const began = performance.now();
    const report = await verifyFolder(nodeDisk, flags.data, {
      key,
      isLive: isBeingWritten(logPaths(resolve(flags.data))),
      ...(outside !== undefined && { outside }),
      ...approversIn(flags.approvers),
      ...(process.stderr.isTTY && { onProgress }),
    });
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(
      [
        `Log verified: ${report.size} records, ${report.seals} seals, ${report.checkpoints} checkpoints, in ${seconds.toFixed(1)} s.`,
        `Root ${report.root.toString('base64')}`,
        ...notProvedLines(report),
        ...cutLines(report, flags.approvers !== undefined),
        ...keyLines(key, from),
        outside === undefined
          ? 'No external checkpoint was given: an earlier state of the whole log would pass.'
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
  }
}

/** What the verification proves by this key, and what it does not. */
function keyLines(key: VerifierKey, from: string): string[] {
  return from === commandLine
    ? [`Public key taken from ${from}.`]
    : [
        `Public key taken from ${from}: ${formatVerifierKey(key)}`,
        'This proves that nothing was changed by anybody who has not the signing key of this folder. It does not prove that this is the log that was written here: whoever replaced log and key together passes. Compare the public key with the one that was kept in another place, or give that one with --public-key.',
      ];
}

/** @param given a public key, or a file with it. @throws BadCheckpointError */
export function givenKey(given: string): VerifierKey {
  return parseVerifierKey(given.includes('+') ? given : readFileSync(given, 'utf8'));
}

/** The given key, or that of the data folder, or, in a copy without it, the one stored in the log. */
function publicKey({ publicKey: given, data }: VerifyFlags): { key: VerifierKey; from: string } {
  if (given !== undefined) {
    return { key: givenKey(given), from: commandLine };
  }
  const own = loadKey(join(data, auditKeyFile));
  const identity = identityOf(data, own !== undefined);
  return own === undefined
    ? {
        key: parseVerifierKey(identity.verifierKey),
        from: 'the log itself',
      }
    : { key: verifierKey(identity.origin, own), from: 'the data folder itself' };
}

/** @throws AuditBrokenError if there is a key and no log, NoAuditLogError if there is neither */
function identityOf(data: string, hasKey: boolean): LogIdentity {
  let log;
  try {
    log = openLog(data);
    return log.identity();
  } catch (error) {
    if (error instanceof NoAuditLogError && hasKey) {
      throw new AuditBrokenError('truncated', 'The log is missing, but its key is here');
    }
    throw error;
  } finally {
    log?.close();
  }
}

function onProgress(records: number): void {
  process.stderr.write(`\r${records} records\r`);
}
