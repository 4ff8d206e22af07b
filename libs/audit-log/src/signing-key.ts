import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { VerifierKey } from './checkpoint.ts';
import { AuditLogError, LogRefusedError } from './errors.ts';

const elsewhere = 'caregate signing key';

/**
 * Signs with the key in this file for each data folder that has none, in this process and in threads started later. Undefined:
 * each data folder has its own.
 */
export function keepSigningKeyIn(file: string | undefined): void {
  setEnvironmentData(elsewhere, file);
}

/** The key that signs the log of a data folder: `audit-key.pem` there, or the file that the operator keeps elsewhere. */
export class SigningKey {
  readonly file: string;
  readonly #isElsewhere: boolean;

  /** @throws LogRefusedError if there are two */
  constructor(dataDir: string) {
    const own = join(dataDir, 'audit-key.pem');
    const other = getEnvironmentData(elsewhere);
    this.#isElsewhere = typeof other === 'string';
    this.file = typeof other === 'string' ? other : own;
    if (this.#isElsewhere && existsSync(own)) {
      throw new LogRefusedError(
        'key_elsewhere',
        `The signing key of the audit log is to be ${this.file}, and ${own} is there too. If they are the same, delete that one.`,
      );
    }
  }

  /** Undefined if there is none. @throws LogRefusedError if it cannot be used */
  read(): KeyObject | undefined {
    return this.#readKey(this.file);
  }

  /** Keys that were to be taken next: that of a change which is not finished, or was never committed. */
  readNext(): KeyObject[] {
    return this.#nextFiles().flatMap((file) => this.#readKey(file) ?? []);
  }

  /** Of a log that begins. @throws LogRefusedError: nobody but the operator makes a key elsewhere */
  readOrMake(): KeyObject {
    const key = this.read();
    if (key !== undefined) {
      return key;
    }
    if (this.#isElsewhere) {
      throw new LogRefusedError(
        'key_elsewhere',
        `The signing key ${this.file} is missing. Put it back; for a new log: openssl genpkey -algorithm ed25519 -out FILE, readable by the service's user alone.`,
      );
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    writeKey(this.file, privateKey);
    return privateKey;
  }

  /** Makes the next key; elsewhere the operator has put it beside the key. @throws AuditLogError */
  prepareNext(current: VerifierKey): KeyObject {
    if (!this.#isElsewhere) {
      // A name of its own: another change may be under way.
      const { privateKey } = generateKeyPairSync('ed25519');
      const id = VerifierKey.of(current.name, privateKey).id.toString('hex');
      writeKey(`${this.file}.next-${id}`, privateKey);
      return privateKey;
    }
    const [next] = this.readNext();
    if (next === undefined) {
      throw new AuditLogError(
        `The signing key is outside the data folder: put the new one into ${this.file}.next first (openssl genpkey -algorithm ed25519 -out FILE), readable by the service's user alone. Nothing was changed.`,
      );
    }
    if (VerifierKey.of(current.name, next).equals(current)) {
      throw new AuditLogError(`${this.file}.next holds the key that signs now: make a new one.`);
    }
    return next;
  }

  /** Puts the key that signs now in the place of the one before. Elsewhere the operator does that. */
  finishChange(key: KeyObject): void {
    this.#withNextFile(key, (file) => {
      renameSync(file, this.file);
      syncFolder(dirname(this.file));
    });
  }

  /** Removes a key that will never sign. */
  dropNext(key: KeyObject): void {
    this.#withNextFile(key, (file) => {
      rmSync(file, { force: true });
    });
  }

  #withNextFile(key: KeyObject, work: (file: string) => void): void {
    const file = this.#nextFiles().find((one) => this.#readKey(one)?.equals(key) === true);
    if (file !== undefined && !this.#isElsewhere) {
      work(file);
    }
  }

  #nextFiles(): string[] {
    if (this.#isElsewhere) {
      return [`${this.file}.next`];
    }
    const folder = dirname(this.file);
    const start = `${basename(this.file)}.next-`;
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && !name.endsWith('.new'))
      .map((name) => join(folder, name));
  }

  #readKey(file: string): KeyObject | undefined {
    // Elsewhere it may be a link, as systemd's credentials are.
    const read = this.#isElsewhere ? statSync : lstatSync;
    const found = read(file, { throwIfNoEntry: false });
    if (found === undefined) {
      return undefined;
    }
    let wrong = found.isFile() ? undefined : 'is no file';
    // Newer systemd grants a credential by an access list, which shows as access of the group.
    if (wrong === undefined && (found.mode & 0o007) !== 0) {
      wrong =
        'can be read by others: chmod o= it, or rather make a new one (caregate audit rotate-key)';
    }
    if (wrong === undefined) {
      try {
        const key = createPrivateKey(readFileSync(file));
        if (key.asymmetricKeyType === 'ed25519') {
          return key;
        }
        wrong = 'holds no Ed25519 key';
      } catch (error) {
        const { code } = error as { readonly code?: string };
        const isUnread = code !== undefined && /^E[A-Z]+$/u.test(code);
        wrong = isUnread ? `cannot be read (${code})` : 'holds no Ed25519 key';
      }
    }
    throw new LogRefusedError('wrong_key', `The signing key of the audit log, ${file}, ${wrong}.`);
  }
}

function writeKey(file: string, key: KeyObject): void {
  writeWhole(file, key.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Writes a new file of its owner alone, whole or not at all. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, file);
  syncFolder(dirname(file));
}

export function syncFolder(folder: string): void {
  // Windows can't sync a folder; it journals names itself.
  if (process.platform !== 'win32') {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}
