import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AuditBrokenError, AuditLogError, SigningKey, VerifierKey } from '@caregate/audit-log';
import { inFolder } from '../audit/offline/open-log.ts';
import { errorCode, OperatorError } from '../config/operator-error.ts';
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
export async function trustedKeys(
  named: string | undefined,
  dataDir: string,
): Promise<TrustedKeys | undefined> {
  if (named !== undefined) {
    const keys = readPublicKeys(named);
    return {
      from: '--public-key',
      has: (text) => keys.some((key) => isSame(key, VerifierKey.parse(text))),
    };
  }
  const own = readPrivateKeys(dataDir);
  const ofLog = await keysOfLog(dataDir);
  return own.length === 0 && ofLog === undefined
    ? undefined
    : {
        from: dataDir,
        has: (text) => {
          const signer = VerifierKey.parse(text);
          const all = [...own.map((one) => VerifierKey.of(signer.name, one)), ...(ofLog ?? [])];
          return all.some((key) => isSame(key, signer));
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

function readPrivateKeys(dataDir: string): readonly KeyObject[] {
  try {
    const signingKey = new SigningKey(dataDir);
    const key = signingKey.read();
    return [...(key === undefined ? [] : [key]), ...signingKey.readNext()];
  } catch (error) {
    if (error instanceof AuditLogError || errorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

/** All that ever signed the log; undefined if there is no log, or a damaged one. */
async function keysOfLog(dataDir: string): Promise<readonly VerifierKey[] | undefined> {
  try {
    return await inFolder(dataDir, async (log) => {
      const { publicKeys } = await log.verify();
      return publicKeys.map((key) => VerifierKey.parse(key));
    });
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
