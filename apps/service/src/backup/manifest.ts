import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeDurably } from '../files/write-durably.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { readVersion } from '../config/version.ts';
import {
  includesKey,
  isSigned,
  signText,
  type Signature,
  type TrustedKeys,
} from './backup-keys.ts';

/** List of the files of a backup with their digests, signed with the key of the audit log. */
export const manifestFile = 'backup.json';

interface Manifest extends Signature {
  readonly version: string;
  readonly made_at: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Writes the list of a backup's files. @param dataDir the data folder whose key signs the list */
export async function writeManifest(folder: string, dataDir: string): Promise<void> {
  const files: Record<string, string> = {};
  for (const name of listFiles(folder)) {
    files[name] = await hashFile(join(folder, name));
  }
  const manifest = { version: readVersion(), made_at: new Date().toISOString(), files };
  const signature = await signText(dataDir, formatSignedText(manifest));
  const text = JSON.stringify({ ...manifest, ...signature }, null, 1);
  await writeDurably(join(folder, manifestFile), `${text}\n`);
}

/** Returns the signed text, which doesn't depend on the order of members in the file. */
function formatSignedText({
  version: by,
  made_at: madeAt,
  files,
}: Omit<Manifest, keyof Signature>): string {
  return JSON.stringify(['caregate backup', by, madeAt, Object.entries(files).sort()]);
}

/**
 * @throws OperatorError if there is no manifest, if none of the keys signed it, or if a file is missing, added or
 * changed
 */
export async function requireManifest(
  folder: string,
  backup: string,
  trusted: TrustedKeys | undefined,
): Promise<Manifest> {
  const manifest = readManifest(folder, backup);
  const { files, public_key: key } = manifest;
  const refuse = (what: string): never => {
    throw new OperatorError(`${backup} was changed after it was made: ${what}.`, 2);
  };
  if (!isSigned(formatSignedText(manifest), manifest)) {
    refuse(`the signature of its ${manifestFile} is invalid`);
  }
  if (trusted !== undefined && !includesKey(trusted.keys, key)) {
    throw new OperatorError(
      `${backup} is signed by ${key}, which is not the key of ${trusted.from}. If you know it as an earlier key of your audit log, name it with --public-key.`,
      2,
    );
  }
  const found = listFiles(folder).filter((name) => name !== manifestFile);
  for (const name of found) {
    if (files[name] === undefined) refuse(`${name} is not of it`);
  }
  for (const [name, digest] of Object.entries(files)) {
    if (!found.includes(name)) refuse(`${name} is missing`);
    if ((await hashFile(join(folder, name))) !== digest) refuse(`${name} was changed`);
  }
  return manifest;
}

function readManifest(folder: string, backup: string): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError) && getErrorCode(error) !== 'ENOENT') {
      throw error;
    }
  }
  const {
    version: by,
    made_at: madeAt,
    files,
    public_key: key,
    signature,
  } = (read ?? {}) as Partial<Record<keyof Manifest, unknown>>;
  const isList = typeof files === 'object' && files !== null;
  if (!isList || typeof by !== 'string' || typeof madeAt !== 'string') {
    throw new OperatorError(`${backup} is no backup: it has no readable ${manifestFile}.`, 2);
  }
  if (typeof key !== 'string' || typeof signature !== 'string') {
    throw new OperatorError(`${backup} is not signed: its ${manifestFile} has no signature.`, 2);
  }
  const digests = files as Manifest['files'];
  return { version: by, made_at: madeAt, files: digests, public_key: key, signature };
}

export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => relative(folder, join(folder, name)))
    .sort();
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
