import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a worker beside a module: built as .js; .ts in tests and tools, which import the workspace's packages from source. */
export function startWorker(module: string, name: string, options: WorkerOptions): Worker {
  const extension = module.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.worker.${extension}`, module), {
    ...options,
    ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
  });
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** Asks a worker, which answers each message with one, in order. */
export class AskedThread<Request, Reply> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Reply>[] = [];
  #hasEnded = false;

  constructor(worker: Worker, endedMessage: string) {
    this.#worker = worker;
    worker.on('message', (reply: Reply) => {
      this.#waiting.shift()?.resolve(reply);
    });
    const end = (reason: Error): void => {
      this.#hasEnded = true;
      this.#waiting.splice(0).forEach(({ reject }) => {
        reject(reason);
      });
    };
    worker.on('error', (error) => {
      end(error as Error);
    });
    worker.on('exit', () => {
      end(new Error(endedMessage));
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  ask(request: Request, moved: ArrayBuffer[] = []): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, moved);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
