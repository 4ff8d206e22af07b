import { requireIntact } from './errors.ts';
import { SEE_LOGS, type OwnRecord } from './record.ts';
import { SignedTree } from './signed-tree.ts';
import type { ReadableStorage } from './storage/storage.ts';

/** The newest head of another log, as a `seeAuditLogs` record has it. */
export interface SeenLog {
  readonly logId: string;
  readonly size: number;
  readonly root: Buffer;
}

/**
 * Describes the newest heads of all other logs in a record. If one of these logs is shortened later, it contradicts
 * the record. Returns undefined if there are no other logs.
 */
export async function describeLogs(
  storage: Pick<ReadableStorage, 'readLogs' | 'readNewestHead'>,
  ownId: string,
): Promise<OwnRecord | undefined> {
  const details: Record<string, string> = {};
  for (const { logId } of await storage.readLogs()) {
    const head = logId === ownId ? undefined : await storage.readNewestHead(logId);
    if (head !== undefined) {
      details[logId] = `${head.size} ${head.root.toString('base64')}`;
    }
  }
  return Object.keys(details).length === 0 ? undefined : { operation: SEE_LOGS, details };
}

export function readSeen({ operation, details }: OwnRecord): SeenLog[] {
  return operation !== SEE_LOGS
    ? []
    : Object.entries(details).map(([logId, text]) => {
        const [size = '', root = ''] = String(text).split(' ');
        return { logId, size: Number(size), root: Buffer.from(root, 'base64') };
      });
}

/**
 * Checks that each log that was seen is still there and extends the head that was seen. @throws AuditBrokenError if
 * not
 */
export async function requireSeen(
  storage: ReadableStorage,
  seen: readonly SeenLog[],
  verified: readonly SignedTree[],
): Promise<void> {
  for (const one of seen) {
    const tree = verified.find(({ logId }) => logId === one.logId);
    const isStored = async (): Promise<boolean> =>
      (await storage.readLogs()).some(({ logId }) => logId === one.logId);
    requireIntact(
      tree !== undefined || (await isStored()),
      'truncated',
      `The log ${one.logId} is missing, but another log has recorded it with ${one.size} records`,
    );
    await tree?.requireExtends(one, `another log, which saw log ${one.logId},`);
  }
}
