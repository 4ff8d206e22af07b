import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.ts';

export const auditKeyFile = 'audit-key.pem';

const elsewhere = 'caregate signing key';

/**
 * Signs with the key in this file for each data folder without its own key, in this process and in workers started later; the
 * key is never created there. Undefined: every data folder has its own.
 */
export function keepSigningKeyIn(file: string | undefined): void {
  setEnvironmentData(elsewhere, file);
}

export function signingKeyElsewhere(): string | undefined {
  const file = getEnvironmentData(elsewhere);
  return typeof file === 'string' ? file : undefined;
}

/** A copy, and a log that was set aside, may have a key of their own. */
export function signingKeyFile(dataDir: string): string {
  const own = join(dataDir, auditKeyFile);
  const file = signingKeyElsewhere();
  return file === undefined || existsSync(own) ? own : file;
}

/** Creates the key (Ed25519, PKCS #8) atomically and durably if it is missing. @throws if the file has another key */
export function loadOrMakeKey(dataDir: string): KeyObject {
  const file = signingKeyFile(dataDir);
  return loadKey(file) ?? makeKey(file);
}

export function loadKey(file: string): KeyObject | undefined {
  const pem = nodeDisk.read(file);
  if (pem === undefined) {
    return undefined;
  }
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${auditKeyFile} does not hold an Ed25519 key`);
  }
  return key;
}

function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${file}.${String(process.pid)}.new`;
  rmSync(draft, { force: true });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(draft, pem, { flag: 'wx', mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link fails if another process created the key first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  nodeDisk.syncFolder(dirname(file));
  return loadKey(file) ?? privateKey;
}
