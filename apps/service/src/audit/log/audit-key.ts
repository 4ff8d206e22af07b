import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const auditKeyFile = 'audit-key.pem';

/**
 * The log's private key (Ed25519, PKCS #8), made where there is none yet: whole and durable, for its owner's eyes only.
 *
 * @throws where the file is there but holds no such key
 */
export function loadOrMakeKey(dataDir: string): KeyObject {
  const file = join(dataDir, auditKeyFile);
  return loadKey(file) ?? makeKey(file);
}

/** The key of that file, or nothing where there is no such file. */
export function loadKey(file: string): KeyObject | undefined {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
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
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    // A link, not a rename: where two processes start at once, the second takes the first one's key.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
  return loadKey(file) ?? privateKey;
}

/** A file's name is durable only once its folder is; Windows neither needs nor allows that. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
