import { sign, verify } from 'node:crypto';
import { SigningKey, VerifierKey } from '@caregate/audit-log';
import { inFolder } from '../audit/offline/open-log.ts';
import { OperatorError } from '../config/operator-error.ts';

export interface Signature {
  /** As `caregate audit public-key` prints it. */
  readonly public_key: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Signs with the key of the audit log of a data folder. @throws OperatorError if the key is not there */
export async function signText(dataDir: string, text: string): Promise<Signature> {
  const { name, publicKey } = await inFolder(dataDir, ({ identity }) => identity);
  const signingKey = new SigningKey(dataDir);
  const key = [...signingKey.readNext(), signingKey.read()].find(
    (one) => one !== undefined && VerifierKey.of(name, one).text === publicKey,
  );
  if (key === undefined) {
    throw new OperatorError(
      `A backup is signed with the key of the audit log, which is not at ${signingKey.file}. Set CAREGATE_AUDIT_KEY_FILE to its file; where it is a credential of systemd, give it to the unit of the backup as well.`,
      2,
    );
  }
  const signature = sign(null, Buffer.from(text), key).toString('base64');
  return { public_key: publicKey, signature };
}

/** @throws BadCheckpointError if the public key is none */
export function verifyText(publicKey: string, text: string, signature: string): boolean {
  const key = VerifierKey.parse(publicKey).publicKey;
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}
