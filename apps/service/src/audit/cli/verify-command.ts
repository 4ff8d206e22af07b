import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  AuditBrokenError,
  BadCheckpointError,
  NoAuditLogError,
  type Breach,
  type LogIdentity,
  type VerifierKey,
  type VerifyReport,
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
import { OperatorError } from '../../config/operator-error.ts';
import { openLog } from '../offline/open-log.ts';

export const commandLine = 'the command line';
export const logItself = 'the log itself';

export interface VerifyFlags {
  readonly data: string;
  readonly fromCheckpoint?: string;
  readonly publicKey?: string;
  readonly json?: true;
  /** Told how many records of how many were read. */
  readonly onProgress?: (done: number, of: number | undefined) => void;
  /** Called before anything is printed. */
  readonly onEnd?: () => void;
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

/** What failed in a verification: a checkpoint that cannot be relied on has no valid signature. */
function breachOf(error: AuditBrokenError | BadCheckpointError): Breach {
  return error instanceof AuditBrokenError ? error.breach : 'bad_signature';
}

/** Of a log that was verified, for programs; the same of a folder and of a database. */
export function verifiedJson(
  log: string,
  { size, seals, checkpoints, root }: VerifyReport,
  {
    key,
    from,
    isOutside,
  }: { readonly key: string; readonly from: string; readonly isOutside: boolean },
): Readonly<Record<string, unknown>> {
  const facts = { size, seals, checkpoints, root: root.toString('base64') };
  return { log, verified: true, ...facts, key, key_from: from, checkpoint: isOutside };
}

/** Of a log that was not. @param log null: not even its name is known */
export function brokenJson(
  log: string | null,
  error: AuditBrokenError | BadCheckpointError,
): {
  readonly log: string | null;
  readonly verified: false;
  readonly breach: Breach;
  readonly message: string;
} {
  return { log, verified: false, breach: breachOf(error), message: error.message };
}

/** Verifies the log of a data folder, prints the result, and returns the exit code. */
export async function runVerify(flags: VerifyFlags): Promise<number> {
  let name: string | null = null;
  try {
    const { key, from } = publicKey(flags);
    ({ name } = key);
    const outside = flags.fromCheckpoint && givenFile('--from-checkpoint', flags.fromCheckpoint);
    const began = performance.now();
    const report = await verifyFolder(nodeDisk, flags.data, {
      key,
      isLive: isBeingWritten(logPaths(resolve(flags.data))),
      ...(outside !== undefined && { outside }),
      ...onProgressOf(flags),
    });
    const seconds = (performance.now() - began) / 1000;
    flags.onEnd?.();
    if (flags.json === true) {
      const proved = { key: formatVerifierKey(key), from, isOutside: outside !== undefined };
      process.stdout.write(`${JSON.stringify(verifiedJson(key.name, report, proved))}\n`);
      return 0;
    }
    process.stdout.write(
      [
        `Log verified: ${report.size} records, ${report.seals} seals, ${report.checkpoints} checkpoints, in ${seconds.toFixed(1)} s.`,
        `Root ${report.root.toString('base64')}`,
        ...keyLines(key, from),
        outside === undefined
          ? 'No external checkpoint was given: an earlier state of the whole log would pass.'
          : 'The given checkpoint matches this log.',
        '',
      ].join('\n'),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof AuditBrokenError) && !(error instanceof BadCheckpointError)) {
      throw error;
    }
    const breach = breachOf(error);
    flags.onEnd?.();
    if (flags.json === true) {
      process.stdout.write(`${JSON.stringify(brokenJson(name, error))}\n`);
    } else {
      process.stderr.write(`Verification failed: ${failureText(error)}\n`);
    }
    return exitCodes[breach];
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

/** @param given a public key, or a file with it. @throws BadCheckpointError, OperatorError */
export function givenKey(given: string): VerifierKey {
  return parseVerifierKey(givenKeys(given));
}

/** The same as text: a file may have a key for each log. @throws OperatorError */
export function givenKeys(given: string): string {
  return given.includes('+') ? given : givenFile('--public-key', given);
}

/** @throws OperatorError if the file of this flag cannot be read */
export function givenFile(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code;
    throw new OperatorError(`${flag} ${file}: ${why}.`, 1, error);
  }
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
        from: logItself,
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

/** The whole is what the log has now, if that can be read at all. */
function onProgressOf({ data, onProgress }: VerifyFlags): {
  onProgress?: (records: number) => void;
} {
  if (onProgress === undefined) {
    return {};
  }
  let size: number | undefined;
  try {
    const log = openLog(data);
    size = log.size();
    log.close();
  } catch {
    // The verification says what is wrong with it.
  }
  return {
    onProgress: (records) => {
      onProgress(records, size);
    },
  };
}
