import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { VerifierKey } from '../note/checkpoint.ts';
import { verifyWhenAsked, type ToVerify } from '../writer/verify-thread.ts';
import { openSession } from './audit-session.ts';
import { verifyPostgresLog } from './verify/verify-postgres.ts';

const timeoutMs = 60_000;
const { url, key, ...options } = workerData as ToVerify & { readonly url: string };

verifyWhenAsked(parentPort as MessagePort, async () => {
  const session = await openSession({ url, timeoutMs }, () => undefined);
  try {
    return await verifyPostgresLog(session, { key: VerifierKey.parse(key), ...options });
  } finally {
    session.destroy();
  }
});
