import type { MessagePort, Worker } from 'node:worker_threads';
import { AskedThread } from '../asked-thread.ts';
import type { VerifyReport } from '../verify/verify-log.ts';
import { errorOf, failureOf, type WriterFailure } from './log-backend.ts';

export interface ToVerify {
  readonly key: string;
  readonly outside: string;
  readonly share: number;
}

/** @throws AuditBrokenError, or the reason of the signal */
export async function verifyInThread(worker: Worker, signal?: AbortSignal): Promise<VerifyReport> {
  const thread = new AskedThread<'verify', VerifyReport | WriterFailure>(
    worker,
    'The verifying thread ended',
  );
  const end = (): void => void thread.end();
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    const reply = await thread.ask('verify');
    if ('kind' in reply) {
      throw errorOf(reply);
    }
    return { ...reply, root: Buffer.from(reply.root) };
  } finally {
    signal?.removeEventListener('abort', end);
    await thread.end();
  }
}

export function verifyWhenAsked(port: MessagePort, verify: () => Promise<VerifyReport>): void {
  port.once('message', () => {
    void verify()
      .catch(failureOf)
      .then((reply) => {
        port.postMessage(reply);
      });
  });
}
