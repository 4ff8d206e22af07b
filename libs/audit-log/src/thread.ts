import { parentPort, Worker } from 'node:worker_threads';
import {
  AuditUnavailableError,
  packError,
  unpackError,
  type ErrorClass,
  type ErrorMessage,
} from './errors.ts';

interface Call {
  readonly method: string;
  readonly values: readonly unknown[];
}

type Reply = { readonly result: unknown } | { readonly failure: ErrorMessage };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Extension of a worker's file: `js` after the build, and `ts` in tests, which import the packages' sources. */
export const WORKER_EXTENSION: 'js' | 'ts' = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * A worker thread, so that commits, verifications and proofs don't block the caller's thread. It doesn't keep an idle
 * process alive. Its file calls {@link answerCalls}.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #hasEnded = false;

  /** @param classes classes of errors, besides those of the audit log, that the thread may throw */
  constructor(file: URL, workerData: unknown, classes: readonly ErrorClass[] = []) {
    this.#worker = new Worker(file, {
      workerData,
      ...(WORKER_EXTENSION === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
    });
    this.#worker.on('message', (reply: Reply) => {
      const one = this.#waiting.shift();
      if ('failure' in reply) {
        one?.reject(unpackError(reply.failure, classes));
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

  get hasEnded(): boolean {
    return this.#hasEnded;
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
        this.#worker.postMessage({ method, values } satisfies Call);
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

type Methods = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;

/** Runs in a worker: answers calls with the methods of the object that `open` returns. A failed `open` is repeated. */
export function answerCalls(open: () => Promise<object>): void {
  let methods: Methods | undefined;
  const answer = async ({ method, values }: Call): Promise<Reply> => {
    try {
      methods ??= (await open()) as Methods;
      return { result: await methods[method]?.(...values) };
    } catch (error) {
      return { failure: packError(error) };
    }
  };
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (call: Call) => {
    last = last.then(async () => parentPort?.postMessage(await answer(call)));
  });
}
