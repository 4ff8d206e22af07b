import { existsSync, readFileSync } from 'node:fs';
import {
  AuditBrokenError,
  NoAuditLogError,
  logPaths,
  verifyFolder,
  VerifierKey,
} from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { openLog } from '../offline/open-log.ts';
import { Findings, type FindingsOptions } from './findings.ts';

export const COMMAND_LINE = 'the command line';
export const LOG_ITSELF = 'the log itself';

export interface VerifyFlags extends FindingsOptions {
  readonly data: string;
  readonly fromCheckpoint?: string;
  readonly publicKey?: string;
  readonly onProgress?: (done: number, of: number | undefined) => void;
}

export async function runVerify(flags: VerifyFlags): Promise<number> {
  const findings = new Findings(flags);
  let name: string | null = null;
  await findings.check(
    () => name,
    'Verification failed',
    async () => {
      const { key, from } = publicKey(flags);
      ({ name } = key);
      const { data, fromCheckpoint: file, onProgress } = flags;
      const outside = file === undefined ? undefined : fileOfFlag('--from-checkpoint', file);
      const of = onProgress && sizeOf(data);
      const began = performance.now();
      const report = await verifyFolder(data, {
        key,
        ...(outside !== undefined && { outside }),
        ...(onProgress !== undefined && {
          onProgress: (records: number) => {
            onProgress(records, of);
          },
        }),
      });
      const seconds = (performance.now() - began) / 1000;
      const text = [
        `Log verified: ${report.size} records, ${report.seals} seals, ${report.checkpoints} checkpoints, in ${seconds.toFixed(1)} s.`,
        `Root ${report.root.toString('base64')}`,
        ...keyLines(key, from),
        outsideText(outside),
        '',
      ].join('\n');
      const facts = {
        key: key.text,
        key_from: from,
        checkpoint: outside !== undefined,
      };
      findings.verified(key.name, report, facts, text);
    },
  );
  return findings.end();
}

export function outsideText(checkpoint: string | undefined): string {
  return checkpoint === undefined
    ? 'No external checkpoint was given: an earlier state of the whole log would pass.'
    : 'The given checkpoint matches this log.';
}

function keyLines(key: VerifierKey, from: string): string[] {
  return from === COMMAND_LINE
    ? [`Public key taken from ${from}.`]
    : [
        `Public key taken from ${from}: ${key.text}`,
        'This proves that nothing was changed by anybody who has not the signing key of this folder. It does not prove that this is the log that was written here: whoever replaced log and key together passes. Compare the public key with the one that was kept in another place, or give that one with --public-key.',
      ];
}

/** @param value of `--public-key`: a key, or a file with it. @throws BadCheckpointError, OperatorError */
function givenKey(value: string): VerifierKey {
  return VerifierKey.parse(keysOfFlag(value));
}

/** The same as text: a file may have a key for each log. @throws OperatorError */
export function keysOfFlag(value: string): string {
  return value.includes('+') ? value : fileOfFlag('--public-key', value);
}

export function fileOfFlag(flag: string, file: string): string {
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
    return { key: givenKey(given), from: COMMAND_LINE };
  }
  try {
    const log = openLog(data);
    try {
      const { key, isOwn } = log.publicKey();
      return { key, from: isOwn ? 'the data folder itself' : LOG_ITSELF };
    } finally {
      log.close();
    }
  } catch (error) {
    if (error instanceof NoAuditLogError && existsSync(logPaths(data).ownKey)) {
      throw new AuditBrokenError('truncated', 'The log is missing, but its key is here');
    }
    throw error;
  }
}

/** Undefined if the log cannot be read: the verification says what is wrong with it. */
function sizeOf(data: string): number | undefined {
  try {
    const log = openLog(data);
    const size = log.size();
    log.close();
    return size;
  } catch {
    return undefined;
  }
}
