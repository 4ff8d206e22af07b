import { parentPort, workerData } from 'node:worker_threads';
import { VerifierKey } from './checkpoint.ts';
import { AuditBrokenError } from './errors.ts';
import { logFile } from './open-appender.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import { describeError } from './thread-errors.ts';
import type { VerifyReply, VerifyRequest } from './verify-in-thread.ts';
import { verifyLog } from './verify-log.ts';

const { place, members, logId, publicKey, checkpoint, share } = workerData as VerifyRequest;

async function verify(): Promise<VerifyReply> {
  const storage =
    place.postgres === undefined
      ? new SqliteStorage(logFile(place.dataDir), members, { readOnly: true })
      : new PostgresStorage(place.postgres, members);
  try {
    const row = (await storage.logs()).find((one) => one.logId === logId);
    if (row === undefined) {
      throw new AuditBrokenError('truncated', `The log ${logId} is missing`, 0);
    }
    const { size } = await verifyLog(storage, members, row, {
      keys: [VerifierKey.parse(publicKey)],
      checkpoints: [checkpoint],
      share,
    });
    return { size };
  } finally {
    await storage.close();
  }
}

parentPort?.postMessage(
  await verify().catch((error: unknown): VerifyReply => ({ failure: describeError(error) })),
);
