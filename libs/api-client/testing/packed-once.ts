import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packed } from './packed.ts';
import type { Packed } from './packed.ts';

type Outcome = Packed | { readonly failure: string };

/**
 * The libraries as they are published, built and packed by the first of this run's specs that asks: the others wait for
 * it. The run's tear-down removes them. Only one spec may write into `consumer`.
 */
export async function packedOnce(): Promise<Packed> {
  const folder = process.env['PACKED_ONCE'];
  if (folder === undefined) throw new Error('The set-up of this Jest did not run.');
  const file = join(folder, 'outcome.json');
  if (await isFirst(join(folder, 'begun'))) {
    const outcome = await packed(folder).catch((error: unknown) => ({ failure: String(error) }));
    await writeFile(`${file}.part`, JSON.stringify(outcome));
    await rename(`${file}.part`, file);
  }
  const outcome = await read(file);
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome;
}

/** A folder is made by one alone. */
async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function read(file: string): Promise<Outcome> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Outcome;
    await sleep(50);
  }
}
