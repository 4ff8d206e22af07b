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

/** Environment data is shared with worker threads. */
const fileSetting = 'caregate signing key';
/** No key rotation takes this long, so an older next key was never committed. */
const ABANDONED_MS = 3_600_000;

/**
 * The key that signs the log of a data folder: `audit-key.pem` there, or a file elsewhere that the operator
 * configured.
 */
export class SigningKey {
  readonly file: string;
  readonly #isExternal: boolean;

  /**
   * Uses this file for all data folders, in this process and in threads started later. With undefined, each folder
   * has its own.
   */
  static useFile(file: string | undefined): void {
    setEnvironmentData(fileSetting, file);
  }

  /** @throws LogRefusedError if there is both a configured file and one in the data folder */
  constructor(dataDir: string) {
    const defaultFile = join(dataDir, 'audit-key.pem');
    const file = getEnvironmentData(fileSetting);
    this.#isExternal = typeof file === 'string';
    this.file = typeof file === 'string' ? file : defaultFile;
    if (this.#isExternal && existsSync(defaultFile)) {
      throw new LogRefusedError(
        'key_elsewhere',
        `The signing key of the audit log is configured as ${this.file}, but ${defaultFile} exists, too. If both hold the same key, delete ${defaultFile}.`,
      );
    }
  }

  /** Returns undefined if there is no key. @throws LogRefusedError if the file can't be used */
  read(): KeyObject | undefined {
    return this.#readKey(this.file);
  }

  /** Returns the keys of rotations that are not complete or were never committed. */
  readNext(): KeyObject[] {
    return this.#listNextFiles().flatMap((file) => this.#readKey(file) ?? []);
  }

  /**
   * Returns the key for a new log. @throws LogRefusedError if a configured key file is missing, since only the
   * operator creates it
   */
  readOrCreate(): KeyObject {
    const key = this.read();
    if (key !== undefined) {
      return key;
    }
    if (this.#isExternal) {
      throw new LogRefusedError(
        'key_elsewhere',
        `The signing key ${this.file} is missing. Put it back; for a new log: openssl genpkey -algorithm ed25519 -out FILE, readable by the service's user alone.`,
      );
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    writeKey(this.file, privateKey);
    return privateKey;
  }

  /**
   * Creates the next key. A key outside of the data folder is rotated by the operator, who must have put the next one
   * beside it. @throws AuditLogError
   */
  prepareNext(current: VerifierKey): KeyObject {
    if (!this.#isExternal) {
      // A unique file name, since another rotation may be in progress.
      const { privateKey } = generateKeyPairSync('ed25519');
      const id = VerifierKey.fromKey(current.name, privateKey).id.toString('hex');
      writeKey(`${this.file}.next-${id}`, privateKey);
      return privateKey;
    }
    const [next] = this.readNext();
    if (next === undefined) {
      throw new AuditLogError(
        `The signing key is outside the data folder: put the new one into ${this.file}.next first (openssl genpkey -algorithm ed25519 -out FILE), readable by the service's user alone. Nothing was changed.`,
      );
    }
    if (VerifierKey.fromKey(current.name, next).equals(current)) {
      throw new AuditLogError(`${this.file}.next holds the key that signs now: make a new one.`);
    }
    return next;
  }

  /** Replaces the previous key file by that of the current key. Outside of the data folder, the operator does that. */
  finishChange(key: KeyObject): void {
    if (!this.#isExternal) {
      writeKey(this.file, key);
      this.dropNext(key);
    }
  }

  dropNext(key: KeyObject): void {
    this.#removeNext((file) => this.#readKey(file)?.equals(key) === true);
  }

  /**
   * Removes the next keys of rotations that were interrupted before their commit. Call it only when the signing key
   * is known.
   */
  removeAbandoned(): void {
    const before = Date.now() - ABANDONED_MS;
    this.#removeNext((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before);
  }

  #removeNext(isUnused: (file: string) => boolean): void {
    for (const file of this.#isExternal ? [] : this.#listNextFiles().filter(isUnused)) {
      rmSync(file, { force: true });
    }
  }

  #listNextFiles(): string[] {
    if (this.#isExternal) {
      return [`${this.file}.next`];
    }
    const folder = dirname(this.file);
    const start = `${basename(this.file)}.next-`;
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && !name.endsWith('.new'))
      .map((name) => join(folder, name));
  }

  #readKey(file: string): KeyObject | undefined {
    // Outside of the data folder it may be a link, as systemd credentials are.
    const stat = this.#isExternal ? statSync : lstatSync;
    const stats = stat(file, { throwIfNoEntry: false });
    if (stats === undefined) {
      return undefined;
    }
    const refuse = (why: string): never => {
      throw new LogRefusedError('wrong_key', `The signing key of the audit log, ${file}, ${why}.`);
    };
    if (!stats.isFile()) {
      refuse('is no file');
    }
    // Newer systemd grants access to a credential with an access control list, which looks like access for the group.
    if ((stats.mode & 0o007) !== 0) {
      refuse(
        'can be read by others: chmod o= it, or rather make a new one (caregate audit rotate-key)',
      );
    }
    let key: KeyObject | undefined;
    try {
      key = createPrivateKey(readFileSync(file));
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (/^E[A-Z]+$/u.test(code)) {
        refuse(`cannot be read (${code})`);
      }
    }
    return key?.asymmetricKeyType === 'ed25519' ? key : refuse('holds no Ed25519 key');
  }
}

function writeKey(file: string, key: KeyObject): void {
  writeFileDurably(file, key.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Writes a file that only its owner can read. The file is written completely or not at all. */
export function writeFileDurably(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, file);
  syncFolder(dirname(file));
}

export function syncFolder(folder: string): void {
  // Windows can't sync a folder. NTFS journals file names itself.
  if (process.platform !== 'win32') {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}
