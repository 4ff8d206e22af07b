import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FetchFunction } from '@caregate/api-client';
import type { UpdateFile } from './update-manifest.ts';

const manifestLimit = 250_000;

export async function fetchManifest(
  fetch: FetchFunction,
  address: string,
): Promise<string | undefined> {
  try {
    const body = await bodyOf(fetch, address);
    const parts: Uint8Array[] = [];
    for await (const part of limited(body, manifestLimit)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return undefined;
  }
}

export type Fetched = { readonly path: string } | { readonly why: 'unreachable' | 'wrongFile' };

/** Not fetched again if it is there; anything but the signed bytes is deleted. @throws Error if it can't be written */
export async function fetchPackage(
  fetch: FetchFunction,
  address: string,
  file: UpdateFile,
  folder: string,
): Promise<Fetched> {
  const path = join(folder, file.name);
  if (await holds(path, file)) return { path };
  const half = `${path}.part`;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const body = await bodyOf(fetch, address);
    await pipeline(limited(body, file.size), createWriteStream(half, { mode: 0o600 }));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (isOfDisk(error)) throw error;
    return { why: error instanceof TooLong ? 'wrongFile' : 'unreachable' };
  }
  if (!(await holds(half, file))) {
    await rm(folder, { recursive: true, force: true });
    return { why: 'wrongFile' };
  }
  await rename(half, path);
  return { path };
}

const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'ENOTDIR', 'ENOENT', 'EEXIST'];

function isOfDisk(error: unknown): boolean {
  return diskCodes.includes((error as NodeJS.ErrnoException).code ?? '');
}

export async function holds(path: string, { size, sha256 }: UpdateFile): Promise<boolean> {
  try {
    if ((await stat(path)).size !== size) return false;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex') === sha256;
  } catch {
    return false;
  }
}

class TooLong extends Error {}

async function bodyOf(fetch: FetchFunction, address: string): Promise<AsyncIterable<Uint8Array>> {
  const answer = await fetch(address, { redirect: 'error', cache: 'no-store' });
  if (answer.status !== 200 || answer.body === null) throw new Error('no file');
  return answer.body;
}

/** @throws TooLong: no server fills the disk */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > limit) throw new TooLong();
    yield part;
  }
}
