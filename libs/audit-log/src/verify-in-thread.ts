import type { LogPlace } from './audit-log.ts';
import type { Members } from './record.ts';
import { startThread } from './start-thread.ts';
import { reviveError, type Failure } from './thread-errors.ts';

export interface VerifyRequest {
  readonly place: LogPlace;
  readonly members: Members;
  readonly logId: string;
  /** A public key of the log, which is trusted. */
  readonly publicKey: string;
  /** A checkpoint of the log, which it must extend. */
  readonly checkpoint: string;
  /** The share of a processor's time that it may take, from 0 to 1. */
  readonly share: number;
}

export type VerifyReply = { readonly size: number } | { readonly failure: Failure };

/** Verifies a whole log in a thread. @throws AuditBrokenError at the first fault; the reason of the signal if that ends it */
export async function verifyInThread(
  request: VerifyRequest,
  signal?: AbortSignal,
): Promise<{ readonly size: number }> {
  signal?.throwIfAborted();
  const worker = startThread('verify', request);
  const end = (): void => void worker.terminate();
  signal?.addEventListener('abort', end);
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (reply: VerifyReply) => {
        if ('failure' in reply) {
          reject(reviveError(reply.failure));
        } else {
          resolve(reply);
        }
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        reject(new Error('The thread that verifies the audit log ended'));
      });
    });
  } finally {
    signal?.removeEventListener('abort', end);
    await worker.terminate();
  }
}
