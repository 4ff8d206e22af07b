import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeDurably } from '@caregate/audit-log';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { version } from '../config/version.ts';

/** In a backup alone: what is in it, and the digest of each file. */
export const manifestFile = 'backup.json';

interface Manifest {
  readonly version: string;
  readonly made_at: string;
  readonly files: Readonly<Record<string, string>>;
}

export async function writeManifest(folder: string): Promise<void> {
  const files: Record<string, string> = {};
  for (const name of filesIn(folder)) {
    files[name] = await digestOf(join(folder, name));
  }
  const manifest: Manifest = { version: version(), made_at: new Date().toISOString(), files };
  await writeDurably(join(folder, manifestFile), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** @throws OperatorError if a file is missing, added or changed, or there is no manifest */
export async function requireManifest(folder: string, backup: string): Promise<Manifest> {
  const manifest = readManifest(folder, backup);
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

function readManifest(folder: string, backup: string): Manifest {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8'));
    if (isManifest(read)) {
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
    'made_at' in read &&
    'files' in read &&
    typeof read.files === 'object' &&
    read.files !== null
  );
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
