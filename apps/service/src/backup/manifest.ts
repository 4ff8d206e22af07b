import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BadCheckpointError } from '@caregate/audit-log';
import { writeDurably } from '../files/write-durably.ts';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { version } from '../config/version.ts';
import { verifyText, type Signature } from './signature.ts';
import type { TrustedKeys } from './trusted-keys.ts';

/** In a backup alone: what is in it, the digest of each file, and a signature by the key of the audit log. */
export const manifestFile = 'backup.json';

interface Manifest {
  readonly version: string;
  readonly made_at: string;
  readonly files: Readonly<Record<string, string>>;
}

type SignedManifest = Manifest & Signature;

export async function writeManifest(
  folder: string,
  sign: (text: string) => Promise<Signature>,
): Promise<void> {
  const files: Record<string, string> = {};
  for (const name of filesIn(folder)) {
    files[name] = await digestOf(join(folder, name));
  }
  const manifest: Manifest = { version: version(), made_at: new Date().toISOString(), files };
  const text = JSON.stringify({ ...manifest, ...(await sign(signedText(manifest))) }, null, 1);
  await writeDurably(join(folder, manifestFile), `${text}\n`);
}

/** What is signed, in one way whatever the order and the spaces of the file. */
function signedText({ version: by, made_at: madeAt, files }: Manifest): string {
  return JSON.stringify(['caregate backup', by, madeAt, Object.entries(files).sort()]);
}

/** @throws OperatorError if there is no manifest, it is not signed by one of the keys, or a file is missing, added or changed */
export async function requireManifest(
  folder: string,
  backup: string,
  keys: TrustedKeys | undefined,
): Promise<SignedManifest> {
  const manifest = readManifest(folder, backup);
  requireSignature(manifest, backup, keys);
  const listed = Object.keys(manifest.files);
  const found = filesIn(folder).filter((name) => name !== manifestFile);
  const missing = listed.find((name) => !found.includes(name));
  const added = found.find((name) => !listed.includes(name));
  if (missing !== undefined || added !== undefined) {
    const what = missing === undefined ? `${added} is not of it` : `${missing} is missing`;
    throw new OperatorError(`${backup} is not as it was made: ${what}.`, 2);
  }
  for (const [name, digest] of Object.entries(manifest.files)) {
    if ((await digestOf(join(folder, name))) !== digest) {
      throw new OperatorError(`${backup} is not as it was made: ${name} was changed.`, 2);
    }
  }
  return manifest;
}

/** @throws OperatorError */
function requireSignature(
  manifest: SignedManifest,
  backup: string,
  keys: TrustedKeys | undefined,
): void {
  const { public_key: key, signature } = manifest;
  if (!isSignedBy(key, signedText(manifest), signature)) {
    throw new OperatorError(
      `${backup} is not as it was made: the signature of its ${manifestFile} does not hold.`,
      2,
    );
  }
  if (keys !== undefined && !keys.has(key)) {
    throw new OperatorError(
      `${backup} is signed by ${key}, which is not the key of ${keys.from}. If you know it as an earlier key of your audit log, name it with --public-key.`,
      2,
    );
  }
}

function isSignedBy(key: string, text: string, signature: string): boolean {
  try {
    return verifyText(key, text, signature);
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      return false;
    }
    throw error;
  }
}

function readManifest(folder: string, backup: string): SignedManifest {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8'));
    if (isManifest(read)) {
      if (!isSigned(read)) {
        throw new OperatorError(
          `${backup} is not signed: its ${manifestFile} has no signature.`,
          2,
        );
      }
      return read;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && errorCode(error) !== 'ENOENT') {
      throw error;
    }
  }
  throw new OperatorError(`${backup} is no backup: it has no readable ${manifestFile}.`, 2);
}

function isManifest(read: unknown): read is Manifest {
  return (
    typeof read === 'object' &&
    read !== null &&
    'version' in read &&
    typeof read.version === 'string' &&
    'made_at' in read &&
    typeof read.made_at === 'string' &&
    'files' in read &&
    typeof read.files === 'object' &&
    read.files !== null
  );
}

function isSigned(manifest: Manifest & Partial<Signature>): manifest is SignedManifest {
  return typeof manifest.public_key === 'string' && typeof manifest.signature === 'string';
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => relative(folder, join(folder, name)))
    .sort();
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
