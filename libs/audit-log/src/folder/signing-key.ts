import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import { AuditLogError } from '../errors.ts';
import { VerifierKey, type LogKeys } from '../note/checkpoint.ts';
import { rawPublicKey } from '../note/note-key.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { signingKey } from './log-key.ts';

/** The signing key and, during `rotate-key`, the next one; the log says which of them signs. */
export class SigningKey {
  readonly #disk: Disk;
  readonly #paths: Pick<LogPaths, 'key' | 'ownKey' | 'nextKey'>;

  constructor(disk: Disk, paths: Pick<LogPaths, 'key' | 'ownKey' | 'nextKey'>) {
    this.#disk = disk;
    this.#paths = paths;
  }

  /** The one that the log names last; undefined if it is neither. */
  of({ current }: LogKeys): KeyObject | undefined {
    return this.#both().find((key) => publicPart(key).equals(current.bytes));
  }

  /** Whether the log names either. Reads the log last, since its keys only grow. */
  isOneOf(keys: () => LogKeys): boolean {
    const both = this.#both();
    const known = keys();
    return both.some((key) => known.has({ bytes: publicPart(key) }));
  }

  /** Makes the next key; outside the data folder, reads it from beside the key. @throws AuditLogError */
  next(keys: LogKeys): KeyObject {
    const { key: file, ownKey, nextKey } = this.#paths;
    if (file === ownKey) {
      const { privateKey } = generateKeyPairSync('ed25519');
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
      writeWhole(this.#disk, nextKey, Buffer.from(pem));
      return privateKey;
    }
    const pem = this.#disk.read(nextKey);
    if (pem === undefined) {
      throw new AuditLogError(
        `The signing key is outside the data folder: put the new one into ${nextKey} first (openssl genpkey -algorithm ed25519 -out FILE), readable by the service's user alone. Nothing was changed.`,
      );
    }
    // Newer systemd grants a credential by an access list, which shows as group access.
    if (process.platform !== 'win32' && (statSync(nextKey).mode & 0o007) !== 0) {
      throw refusedKey(nextKey, 'can be read by others: make a new one, with mode 600');
    }
    const next = signingKey(pem);
    if (next === undefined) {
      throw refusedKey(nextKey, 'holds no Ed25519 key');
    }
    if (keys.has(VerifierKey.of(keys.current.name, next))) {
      throw refusedKey(nextKey, 'holds a key that signed this log before: make a new one');
    }
    return next;
  }

  /** Leaves only the signing key, in its place. Outside the data folder the operator does that. */
  settle(keys: LogKeys): void {
    const { key: file, ownKey, nextKey } = this.#paths;
    const next = this.#disk.read(nextKey);
    if (file !== ownKey || next === undefined) {
      return;
    }
    const isNext = signingKey(next);
    if (isNext !== undefined && publicPart(isNext).equals(keys.current.bytes)) {
      this.#disk.rename(nextKey, file);
    } else {
      removeIfThere(this.#disk, nextKey);
    }
    this.#disk.syncFolder(dirname(file));
  }

  held(keys: LogKeys): HeldKey {
    const [key, next] = [this.#in(this.#paths.key), this.#in(this.#paths.nextKey)];
    const signs = (one: KeyObject | undefined): boolean =>
      one !== undefined && publicPart(one).equals(keys.current.bytes);
    if (signs(key)) {
      return next === undefined || signs(next) ? 'signs' : 'offered';
    }
    const isEarlier = key !== undefined && keys.has({ bytes: publicPart(key) });
    return signs(next) ? 'turned' : isEarlier ? 'earlier' : 'none';
  }

  #both(): KeyObject[] {
    return [this.#paths.key, this.#paths.nextKey].flatMap((file) => this.#in(file) ?? []);
  }

  #in(file: string): KeyObject | undefined {
    return signingKey(this.#disk.read(file) ?? Buffer.alloc(0));
  }
}

/**
 * What a data folder has of the key that signs its log: that key, and one beside it that `rotate-key` has not been asked to take
 * (`offered`); the key beside it, which was taken (`turned`); one that signed before, alone (`earlier`); or none of them.
 */
export type HeldKey = 'signs' | 'offered' | 'turned' | 'earlier' | 'none';

/** Changes nothing. @param keys of the log */
export function heldKey(dataDir: string, keys: LogKeys): HeldKey {
  return new SigningKey(nodeDisk, logPaths(resolve(dataDir))).held(keys);
}

function publicPart(key: KeyObject): Buffer {
  return rawPublicKey(key, 32);
}

function refusedKey(file: string, what: string): AuditLogError {
  return new AuditLogError(`${file} ${what}. Nothing was changed.`);
}
