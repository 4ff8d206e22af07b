import { parentPort, workerData } from 'node:worker_threads';
import { VerifierKey } from './checkpoint.ts';
import { AuditBrokenError, packError } from './errors.ts';
import { openBackend } from './log-backend.ts';
import { openStorage } from './log-place.ts';
import type { ThreadCall, ThreadReply, ThreadTask, VerifyRequest } from './thread.ts';
import { verifyLog } from './verify-log.ts';

type Methods = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;

async function open(task: ThreadTask): Promise<object> {
  switch (task.kind) {
    case 'append':
      return await openBackend(task.place, task.options);
    case 'verify':
      return { verify: () => verify(task) };
  }
}

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

async function answer({ method, values }: ThreadCall): Promise<void> {
  let reply: ThreadReply;
  try {
    const target = (await opening) as Methods;
    reply = { result: await target[method]?.(...values) };
  } catch (error) {
    reply = { failure: packError(error) };
  }
  parentPort?.postMessage(reply);
}

const opening = open(workerData as ThreadTask);
// Each call reports this error, so it is not unhandled.
opening.catch(() => undefined);
let last = Promise.resolve();
parentPort?.on('message', (call: ThreadCall) => {
  last = last.then(() => answer(call));
});
