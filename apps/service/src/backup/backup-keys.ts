import { sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AuditBrokenError,
  AuditLogError,
  BadCheckpointError,
  SigningKey,
  VerifierKey,
} from '@caregate/audit-log';
import { withFolderLog } from '../audit/read-logs.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { takeOpened } from '../config/run-as.ts';

export interface Signature {
  /** The public key, as `caregate audit public-key` prints it. */
  readonly public_key: string;
  readonly signature: string;
}

/** Signs with the key of the audit log of a data folder. @throws OperatorError if there is no key */
export async function signText(dataDir: string, text: string): Promise<Signature> {
  const { name, publicKey } = await withFolderLog(dataDir, ({ identity }) => identity);
  const signingKey = new SigningKey(dataDir);
  const key = [...signingKey.readNext(), signingKey.read()].find(
    (one) => one !== undefined && VerifierKey.fromKey(name, one).text === publicKey,
  );
  if (key === undefined) {
    throw new OperatorError(
      `A backup is signed with the key of the audit log, which is not at ${signingKey.file}. Set CAREGATE_AUDIT_KEY_FILE to its file; where it is a credential of systemd, give it to the unit of the backup as well.`,
      2,
    );
  }
  return {
    public_key: publicKey,
    signature: sign(null, Buffer.from(text), key).toString('base64'),
  };
}

export function isSigned(text: string, { public_key: key, signature }: Signature): boolean {
  try {
    const { publicKey } = VerifierKey.parse(key);
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      return false;
    }
    throw error;
  }
}

export interface TrustedKeys {
  /** Where the keys come from, for messages. */
  readonly from: string;
  readonly keys: readonly VerifierKey[];
}

/**
 * Reads the keys that the operator specified, or those of a data folder.
 *
 * @param named a public key, or a file with one on each line
 * @returns undefined if the folder has no key
 * @throws OperatorError if the text or file has no key
 */
export async function readTrustedKeys(
  named: string | undefined,
  dataDir: string,
): Promise<TrustedKeys | undefined> {
  if (named !== undefined) {
    return { from: '--public-key', keys: readPublicKeys(named) };
  }
  const keys = await readOwnKeys(dataDir);
  return keys.length === 0 ? undefined : { from: dataDir, keys };
}

/** Whether one of the keys has these key bytes. The names of their logs may differ. */
export function includesKey(keys: readonly VerifierKey[], publicKey: string): boolean {
  const { bytes } = VerifierKey.parse(publicKey);
  return keys.some((key) => key.bytes.equals(bytes));
}

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

/**
 * Reads the signing keys of a data folder, and all keys that ever signed its log. Returns none if they are damaged or
 * missing.
 */
async function readOwnKeys(dataDir: string): Promise<readonly VerifierKey[]> {
  const readSigningKeys = (): readonly VerifierKey[] => {
    const signingKey = new SigningKey(dataDir);
    const keys = [signingKey.read() ?? [], signingKey.readNext()].flat();
    return keys.map((key) => VerifierKey.fromKey('data-folder', key));
  };
  const readLogKeys = async (): Promise<readonly VerifierKey[]> => {
    const { publicKeys } = await withFolderLog(dataDir, (log) => log.verify());
    return publicKeys.map((key) => VerifierKey.parse(key));
  };
  const found: VerifierKey[] = [];
  for (const read of [readSigningKeys, readLogKeys]) {
    try {
      found.push(...(await read()));
    } catch (error) {
      const isDamaged = error instanceof AuditBrokenError || error instanceof AuditLogError;
      if (!isDamaged && getErrorCode(error) !== 'ENOENT') {
        throw error;
      }
    }
  }
  return found;
}
