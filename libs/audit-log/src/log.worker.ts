import { workerData } from 'node:worker_threads';
import { VerifierKey } from './checkpoint.ts';
import { AuditBrokenError } from './errors.ts';
import { openBackend } from './log-backend.ts';
import { openStorage } from './log-place.ts';
import type { LogTask, VerifyRequest } from './log-thread.ts';
import { answerCalls } from './thread.ts';
import { verifyLog } from './verify-log.ts';

async function verify({ place, members, logId, publicKey, checkpoint, share }: VerifyRequest) {
  const storage = openStorage(place, members, { readOnly: true });
  try {
    const row = (await storage.readLogs()).find((one) => one.logId === logId);
    if (row === undefined) {
      throw new AuditBrokenError('truncated', `The log ${logId} is missing`, 0);
    }
    const keys = [VerifierKey.parse(publicKey)];
    const options = { keys, checkpoints: [checkpoint], share };
    const { size } = await verifyLog(storage, members, row, options);
    return { size };
  } finally {
    await storage.close();
  }
}

const task = workerData as LogTask | undefined;

answerCalls(async () =>
  task === undefined ? { verify } : await openBackend(task.place, task.options),
);
