import type { AuditLog, LogPlace } from '@caregate/audit-log';
import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unpackError, type TrailReply, type TrailRequest } from './trail-messages.ts';
import type { TrailPage, TrailReader } from './trail-reader.ts';

/** State changes of an open audit log. The messages contain no data. */
export class AuditLogEvents extends EventEmitter<{
  /** The log accepts no records. Emitted again for each new reason and every minute. */
  interrupted: [message: string];
  resumed: [message: string];
}> {}

export type OwnLog = Pick<AuditLog, 'logId' | 'publicKey' | 'checkpoint' | 'state'>;

type Request<Method extends keyof TrailReader> = Parameters<TrailReader[Method]>[1];
type Reply<Method extends keyof TrailReader> = ReturnType<TrailReader[Method]>;

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads logs in a worker thread, so that proofs don't delay other requests; see `TrailReader`. Without a log ID,
 * methods use the log of this instance. All throw AuditUnavailableError while that log can't be written.
 */
export class AuditTrail {
  readonly #own: OwnLog;
  readonly #place: LogPlace;
  readonly #pending = new Map<number, PendingRequest>();
  #requests = 0;
  /** Started by the first request, since most services rarely need it, and again after it ended. */
  #worker: Worker | undefined;

  constructor(own: OwnLog, place: LogPlace) {
    this.#own = own;
    this.#place = place;
  }

  /** Whether records can be written. If not, no data may be returned. */
  isOpen(): boolean {
    return !this.#own.state().isInterrupted;
  }

  async getPublicKey(log: string = this.#own.logId): Promise<string> {
    return log === this.#own.logId
      ? this.#own.publicKey
      : await this.#callWorker('getPublicKey', { log });
  }

  async getCheckpoint(log: string = this.#own.logId): Promise<string> {
    return log === this.#own.logId
      ? await this.#own.checkpoint()
      : await this.#callWorker('getCheckpoint', { log });
  }

  readPage(request: Request<'readPage'>): Promise<TrailPage> {
    return this.#callWorker('readPage', request);
  }

  proveInclusion(request: Request<'proveInclusion'>): Reply<'proveInclusion'> {
    return this.#callWorker('proveInclusion', request);
  }

  proveConsistency(request: Request<'proveConsistency'>): Reply<'proveConsistency'> {
    return this.#callWorker('proveConsistency', request);
  }

  requireExtends(request: Request<'requireExtends'>): Promise<void> {
    return this.#callWorker('requireExtends', request);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #callWorker<Method extends keyof TrailReader>(
    method: Method,
    values: Request<Method>,
  ): Promise<Awaited<Reply<Method>>> {
    const { logId, publicKey } = this.#own;
    const own = { logId, publicKey, checkpoint: await this.#own.checkpoint() };
    this.#worker ??= this.#startWorker();
    this.#requests += 1;
    const id = this.#requests;
    const result = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#worker.postMessage({ id, method, own, values } satisfies TrailRequest);
    return (await result) as Awaited<Reply<Method>>;
  }

  #startWorker(): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./trail.worker.${extension}`, import.meta.url), {
      workerData: this.#place,
      // Specs run from source.
      ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
    });
    worker.on('message', (reply: TrailReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('failure' in reply) {
        pending?.reject(unpackError(reply.failure));
      } else {
        pending?.resolve(reply.result);
      }
    });
    worker.on('error', (error) => {
      this.#endWorker(worker, error as Error);
    });
    worker.on('exit', () => {
      this.#endWorker(worker, new Error('The thread that reads the audit log ended'));
    });
    return worker;
  }

  #endWorker(worker: Worker, error: Error): void {
    if (this.#worker !== worker) {
      return;
    }
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) {
      reject(error);
    }
    this.#pending.clear();
  }
}
