import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { AuditLogError } from '../errors.ts';

/** OpenSSL stretches it little (PBKDF2, 2048 rounds), so it has to be long. */
const SHORTEST_PASSPHRASE = 12;

/** A new private key of an approver: Ed25519 as PKCS #8, encrypted (PBES2, AES-256-CBC). */
export function makeApproverKey(passphrase: string): { pem: string; key: KeyObject } {
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new AuditLogError(`The passphrase must have at least ${SHORTEST_PASSPHRASE} characters.`);
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const;
  return { pem: privateKey.export(options).toString(), key: privateKey };
}

/** @throws AuditLogError if it is not such a key, or the passphrase is wrong */
export function openApproverKey(pem: string, passphrase: string): KeyObject {
  if (!pem.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) {
    throw new AuditLogError('Not the key of an approver: expected an encrypted private key.');
  }
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, passphrase });
  } catch (error) {
    throw new AuditLogError('The passphrase is wrong, or the key file is damaged.', error);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new AuditLogError('Not the key of an approver: expected Ed25519.');
  }
  return key;
}
