import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LogReader, NoAuditLogError, verifyFolder, VerifierKey } from '@caregate/audit-log';

/** Writes to a log endlessly and prints each acknowledged record. */
export const writerChild = fileURLToPath(
  new URL('../../../apps/service/e2e/audit-writer-child.ts', import.meta.url),
);
/** Node's flags for it: the library from its source. */
export const fromSource = ['--conditions=@caregate/source'];

/** Ids of the acknowledged records in the output of `writerChild`, by number. */
export function acknowledgedIn(output: string): Map<number, string> {
  const lines = output.matchAll(/^(\d+) (\S+)\n/gmu);
  return new Map([...lines].map(([, seq, id]) => [Number(seq), String(id)]));
}

export interface Outcome {
  /** Acknowledged and not in the log. */
  readonly lost: number;
  /** What a start or the verification found wrong. */
  readonly broken: string | undefined;
  readonly size: number;
  /** For the next verification. */
  readonly checkpoint: string | undefined;
}

/** Starts on a log as the service does, compares it with what was acknowledged, and verifies it. */
export async function examine(
  folder: string,
  acknowledged: ReadonlyMap<number, string>,
  outside?: string,
): Promise<Outcome> {
  if (!existsSync(folder)) {
    return { lost: acknowledged.size, broken: undefined, size: 0, checkpoint: undefined };
  }
  try {
    LogReader.lock(folder, undefined)?.close();
    const reader = LogReader.open(folder);
    const found = new Map<number, Buffer>();
    for (const item of reader.read(0, reader.size())) {
      if ('entry' in item && acknowledged.has(item.seq)) {
        found.set(item.seq, Buffer.from(item.entry));
      }
    }
    const lost = [...acknowledged].filter(
      ([seq, id]) => found.get(seq)?.includes(`"request_id":"${id}"`) !== true,
    );
    const key = VerifierKey.parse(reader.identity().verifierKey);
    const checkpoint = reader.checkpoint();
    reader.close();
    const { size } = await verifyFolder(folder, {
      key,
      ...(outside !== undefined && { outside }),
    });
    return { lost: lost.length, broken: undefined, size, checkpoint };
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      return { lost: acknowledged.size, broken: undefined, size: 0, checkpoint: undefined };
    }
    const broken = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    return { lost: acknowledged.size, broken, size: 0, checkpoint: undefined };
  }
}
