import { createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { AuditBrokenError, AuditLogError, logPaths, VerifierKey } from '@caregate/audit-log';
import { openLog } from '../audit/offline/open-log.ts';
import { OperatorError } from '../config/operator-error.ts';
import { takeOpened } from '../config/run-as.ts';

/** The keys that may have signed a backup. */
export interface TrustedKeys {
  /** Where they are, for messages. */
  readonly from: string;
  readonly has: (publicKey: string) => boolean;
}

/**
 * The keys that the operator names, or those that a data folder has; undefined if there are none.
 *
 * @param named public key or a file with some, one a line
 * @throws OperatorError if what is named has none
 */
export function trustedKeys(named: string | undefined, dataDir: string): TrustedKeys | undefined {
  if (named !== undefined) {
    const keys = readPublicKeys(named);
    return {
      from: '--public-key',
      has: (text) => keys.some((key) => isSame(key, VerifierKey.parse(text))),
    };
  }
  const { key, nextKey } = logPaths(dataDir);
  const own = [key, nextKey].filter(existsSync).flatMap((file) => readPrivateKey(file) ?? []);
  const logKeys = keysOfLog(dataDir);
  return own.length === 0 && logKeys === undefined
    ? undefined
    : {
        from: dataDir,
        has: (text) => {
          const signer = VerifierKey.parse(text);
          const isOwn = own.some((one) => isSame(VerifierKey.of(signer.name, one), signer));
          return isOwn || (logKeys?.has(signer) ?? false);
        },
      };
}

/** @throws OperatorError */
function readPublicKeys(named: string): readonly VerifierKey[] {
  try {
    const text = named.includes('+') ? named : readFileSync(takeOpened(named) ?? named, 'utf8');
    return text
      .trim()
      .split(/\s+/u)
      .map((key) => VerifierKey.parse(key));
  } catch (error) {
    throw new OperatorError(
      `--public-key must be a public key of an audit log, or a file with one: caregate audit public-key prints it.`,
      2,
      error,
    );
  }
}

function readPrivateKey(file: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** All that ever signed the log; undefined if there is no log, or a damaged one. */
function keysOfLog(dataDir: string): { has(key: VerifierKey): boolean } | undefined {
  try {
    const log = openLog(dataDir);
    try {
      return log.keys();
    } finally {
      log.close();
    }
  } catch (error) {
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      return undefined;
    }
    throw error;
  }
}

function isSame(one: VerifierKey, other: VerifierKey): boolean {
  return one.bytes.equals(other.bytes);
}
