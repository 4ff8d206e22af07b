import { Worker } from 'node:worker_threads';
import { AuditUnavailableError, unpackError, type ErrorMessage } from './errors.ts';
import type { LogOptions } from './log-backend.ts';
import type { LogPlace } from './log-place.ts';
import type { Members } from './record.ts';

export type ThreadTask =
  | { readonly kind: 'append'; readonly place: LogPlace; readonly options: LogOptions }
  | ({ readonly kind: 'verify' } & VerifyRequest);

export interface VerifyRequest {
  readonly place: LogPlace;
  readonly members: Members;
  readonly logId: string;
  /** A trusted public key of the log. */
  readonly publicKey: string;
  /** A checkpoint that the log must extend. */
  readonly checkpoint: string;
  /** The share of a processor's time to use, from 0 to 1. */
  readonly share: number;
}

export interface ThreadCall {
  readonly method: string;
  readonly values: readonly unknown[];
}

export type ThreadReply = { readonly result: unknown } | { readonly failure: ErrorMessage };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A worker thread, so that commits and verifications don't block the caller's thread. It doesn't keep an idle process
 * alive.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #hasEnded = false;

  constructor(task: ThreadTask) {
    // The extension is `.js` after the build and `.ts` in tests, which import the packages' sources.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./thread.worker.${extension}`, import.meta.url), {
      workerData: task,
      ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
    });
    this.#worker.on('message', (reply: ThreadReply) => {
      const one = this.#waiting.shift();
      if ('failure' in reply) {
        one?.reject(unpackError(reply.failure));
      } else {
        one?.resolve(reply.result);
      }
    });
    const end = (error: Error): void => {
      this.#hasEnded = true;
      for (const { reject } of this.#waiting.splice(0)) {
        reject(error);
      }
    };
    this.#worker.on('error', (error) => {
      end(error as Error);
    });
    this.#worker.on('exit', () => {
      end(new AuditUnavailableError('The thread of the audit log ended', { isRefused: false }));
    });
    this.#worker.unref();
  }

  /** Calls a method in the thread. Calls run one at a time, in order. */
  async call(method: string, ...values: readonly unknown[]): Promise<unknown> {
    if (this.#hasEnded) {
      throw new AuditUnavailableError('The thread of the audit log has ended');
    }
    this.#worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
        this.#worker.postMessage({ method, values } satisfies ThreadCall);
      });
    } finally {
      if (this.#waiting.length === 0) {
        this.#worker.unref();
      }
    }
  }

  /** Returns an object whose methods run in the thread. `close` ends the thread. */
  createProxy<T extends { close(): Promise<void> }>(
    methods: readonly Exclude<keyof T, 'close'>[],
  ): T {
    const calls = methods.map((method) => [
      method,
      (...values: readonly unknown[]) => this.call(String(method), ...values),
    ]);
    const close = async (): Promise<void> => {
      try {
        if (!this.#hasEnded) {
          await this.call('close');
        }
      } finally {
        await this.terminate();
      }
    };
    return { ...Object.fromEntries(calls), close } as T;
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * Verifies a whole log in a worker thread. @throws AuditBrokenError at the first fault; AuditUnavailableError if the
 * signal aborts
 */
export async function verifyInThread(
  request: VerifyRequest,
  signal?: AbortSignal,
): Promise<{ readonly size: number }> {
  signal?.throwIfAborted();
  const thread = new Thread({ kind: 'verify', ...request });
  const end = (): void => void thread.terminate();
  signal?.addEventListener('abort', end);
  try {
    return (await thread.call('verify')) as { readonly size: number };
  } finally {
    signal?.removeEventListener('abort', end);
    await thread.terminate();
  }
}
