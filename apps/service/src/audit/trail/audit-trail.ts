import { Thread, WORKER_EXTENSION, type AuditLog, type LogPlace } from '@caregate/audit-log';
import { EventEmitter } from 'node:events';
import { UnknownLogError, type TrailPage, type TrailReader } from './trail-reader.ts';

/** State changes of an open audit log. The messages contain no data. */
export class AuditLogEvents extends EventEmitter<{
  /** The log accepts no records. Emitted again for each new reason and every minute. */
  interrupted: [message: string];
  resumed: [message: string];
}> {}

export type OwnLog = Pick<AuditLog, 'logId' | 'publicKey' | 'checkpoint' | 'state'>;

type Request<Method extends keyof TrailReader> = Parameters<TrailReader[Method]>[1];
type Reply<Method extends keyof TrailReader> = ReturnType<TrailReader[Method]>;

/**
 * Reads logs in a worker thread, so that proofs don't delay other requests; see `TrailReader`. Without a log ID,
 * methods use the log of this instance. All throw AuditUnavailableError while that log can't be written.
 */
export class AuditTrail {
  readonly #own: OwnLog;
  readonly #place: LogPlace;
  /** Started by the first request, since most services rarely need it, and again after it ended. */
  #thread: Thread | undefined;

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
      : await this.#callThread('getPublicKey', { log });
  }

  async getCheckpoint(log: string = this.#own.logId): Promise<string> {
    return log === this.#own.logId
      ? await this.#own.checkpoint()
      : await this.#callThread('getCheckpoint', { log });
  }

  readPage(request: Request<'readPage'>): Promise<TrailPage> {
    return this.#callThread('readPage', request);
  }

  proveInclusion(request: Request<'proveInclusion'>): Reply<'proveInclusion'> {
    return this.#callThread('proveInclusion', request);
  }

  proveConsistency(request: Request<'proveConsistency'>): Reply<'proveConsistency'> {
    return this.#callThread('proveConsistency', request);
  }

  requireExtends(request: Request<'requireExtends'>): Promise<void> {
    return this.#callThread('requireExtends', request);
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #callThread<Method extends keyof TrailReader>(
    method: Method,
    values: Request<Method>,
  ): Promise<Awaited<Reply<Method>>> {
    const { logId, publicKey } = this.#own;
    const own = { logId, publicKey, checkpoint: await this.#own.checkpoint() };
    if (this.#thread === undefined || this.#thread.hasEnded) {
      const file = new URL(`./trail.worker.${WORKER_EXTENSION}`, import.meta.url);
      this.#thread = new Thread(file, this.#place, [RangeError, UnknownLogError]);
    }
    return (await this.#thread.call(method, own, values)) as Awaited<Reply<Method>>;
  }
}
