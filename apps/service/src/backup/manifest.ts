import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeDurably } from '../files/write-durably.ts';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { version } from '../config/version.ts';
import { includesKey, isSigned, type Signature, type TrustedKeys } from './backup-keys.ts';

/** The list of the files of a backup with their digests, signed with the key of the audit log. */
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
    files[name] = await hashFile(join(folder, name));
  }
  const manifest: Manifest = { version: version(), made_at: new Date().toISOString(), files };
  const text = JSON.stringify({ ...manifest, ...(await sign(signedText(manifest))) }, null, 1);
  await writeDurably(join(folder, manifestFile), `${text}\n`);
}

/** The text that is signed, whatever the order of the members in the file. */
function signedText({ version: by, made_at: madeAt, files }: Manifest): string {
  return JSON.stringify(['caregate backup', by, madeAt, Object.entries(files).sort()]);
}

/** @throws OperatorError if there is no manifest, it is not signed by one of the keys, or a file is missing, added or changed */
export async function requireManifest(
  folder: string,
  backup: string,
  trusted: TrustedKeys | undefined,
): Promise<SignedManifest> {
  const manifest = readManifest(folder, backup);
  const { files, public_key: key } = manifest;
  const refuse = (what: string): never => {
    throw new OperatorError(`${backup} is not as it was made: ${what}.`, 2);
  };
  if (!isSigned(signedText(manifest), manifest)) {
    refuse(`the signature of its ${manifestFile} does not hold`);
  }
  if (trusted !== undefined && !includesKey(trusted.keys, key)) {
    throw new OperatorError(
      `${backup} is signed by ${key}, which is not the key of ${trusted.from}. If you know it as an earlier key of your audit log, name it with --public-key.`,
      2,
    );
  }
  const found = filesIn(folder).filter((name) => name !== manifestFile);
  for (const name of found) {
    if (files[name] === undefined) refuse(`${name} is not of it`);
  }
  for (const [name, digest] of Object.entries(files)) {
    if (!found.includes(name)) refuse(`${name} is missing`);
    if ((await hashFile(join(folder, name))) !== digest) refuse(`${name} was changed`);
  }
  return manifest;
}

function readManifest(folder: string, backup: string): SignedManifest {
  const {
    version: by,
    made_at: madeAt,
    files,
    public_key: key,
    signature,
  } = readJson(join(folder, manifestFile));
  const isManifest = typeof files === 'object' && files !== null;
  if (!isManifest || typeof by !== 'string' || typeof madeAt !== 'string') {
    throw new OperatorError(`${backup} is no backup: it has no readable ${manifestFile}.`, 2);
  }
  if (typeof key !== 'string' || typeof signature !== 'string') {
    throw new OperatorError(`${backup} is not signed: its ${manifestFile} has no signature.`, 2);
  }
  const digests = files as Manifest['files'];
  return { version: by, made_at: madeAt, files: digests, public_key: key, signature };
}

function readJson(file: string): Partial<Record<keyof SignedManifest, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read === 'object' && read !== null ? read : {};
  } catch (error) {
    if (!(error instanceof SyntaxError) && errorCode(error) !== 'ENOENT') {
      throw error;
    }
    return {};
  }
}

export function filesIn(folder: string): readonly string[] {
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
