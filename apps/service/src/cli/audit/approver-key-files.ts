import type { KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import {
  auditKeyFile,
  formatVerifierKey,
  makeApproverKey,
  openApproverKey,
  parseVerifierKey,
  verifierKey,
  type VerifierKey,
} from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { readSecretLine } from './secret-input.ts';

/** Where a passphrase comes from: a file descriptor, or the terminal. Never an argument, which other users can read. */
export interface PassphraseFlag {
  readonly passphraseFd?: number;
}

export interface CreatedKey {
  readonly file: string;
  readonly publicFile: string;
  readonly key: VerifierKey;
}

/**
 * Makes a key pair: the encrypted private half in `out`, the public one in `out`.pub.
 *
 * @throws OperatorError if a file exists, or would lie in a data folder
 */
export async function createKeyFiles(
  out: string,
  name: string,
  flags: PassphraseFlag & { readonly data?: string },
): Promise<CreatedKey> {
  const file = resolve(out);
  const publicFile = `${file}.pub`;
  requireOutside(file, flags.data);
  const taken = [file, publicFile].find(existsSync);
  if (taken !== undefined) {
    throw new OperatorError(`${taken} exists already: choose another name with --out.`);
  }
  const passphrase = await readPassphrase(`New passphrase for ${file}: `, flags);
  if (flags.passphraseFd === undefined && process.stdin.isTTY) {
    const again = await readSecretLine('The same passphrase again: ');
    if (again !== passphrase) {
      throw new OperatorError('The two passphrases differ. Nothing was made.');
    }
  }
  const { pem, key } = makeApproverKey(passphrase);
  const verifier = verifierKey(name, key);
  writeNew(file, pem, 0o600);
  writeNew(publicFile, `${formatVerifierKey(verifier)}\n`, 0o644);
  return { file, publicFile, key: verifier };
}

/** @throws OperatorError if the file lies in a data folder; AuditLogError if it is no such key, or the passphrase is wrong */
export async function readKeyFile(
  file: string,
  flags: PassphraseFlag & { readonly data?: string },
): Promise<KeyObject> {
  requireOutside(resolve(file), flags.data);
  const pem = readFileSync(file, 'utf8');
  return openApproverKey(pem, await readPassphrase(`Passphrase for ${file}: `, flags));
}

/** The public half, from a file or as it is. @throws BadCheckpointError */
export function readPublicKey(fileOrKey: string): VerifierKey {
  return parseVerifierKey(existsSync(fileOrKey) ? readFileSync(fileOrKey, 'utf8') : fileOrKey);
}

async function readPassphrase(prompt: string, { passphraseFd }: PassphraseFlag): Promise<string> {
  if (passphraseFd === undefined && !process.stdin.isTTY) {
    throw new OperatorError(
      'No passphrase: run this in a terminal, or pass it with --passphrase-fd (0 for standard input).',
    );
  }
  const text = passphraseFd === undefined ? await readSecretLine(prompt) : readFd(passphraseFd);
  const [line = ''] = text.split(/\r?\n/u);
  return line;
}

function readFd(fd: number): string {
  try {
    return readFileSync(fd, 'utf8');
  } catch (error) {
    throw new OperatorError(`File descriptor ${fd} cannot be read.`, 1, error);
  }
}

/** Whoever can write the data folder must not find the keys that are to agree on what is erased in it. */
function requireOutside(file: string, dataDir: string | undefined): void {
  const folder = realpathSync(dirname(file));
  const data = dataDir !== undefined && existsSync(dataDir) ? realpathSync(dataDir) : undefined;
  for (let at = folder; ; at = dirname(at)) {
    if (at === data || isDataFolder(at)) {
      throw new OperatorError(
        `${file} is in the data folder ${at}: keep the key of an approver away from it, best on a device of your own.`,
      );
    }
    if (at === dirname(at) || at === sep) {
      return;
    }
  }
}

function isDataFolder(folder: string): boolean {
  return existsSync(join(folder, auditKeyFile)) || existsSync(join(folder, 'audit', 'log'));
}

function writeNew(file: string, text: string, mode: number): void {
  const handle = openSync(file, 'wx', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
