import { Worker } from 'node:worker_threads';

/** Starts a module of this package as a thread: `.js` when built, `.ts` in tests, which read the workspace's packages from source. */
export function startThread(name: 'log' | 'read' | 'verify', workerData: unknown): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.worker.${extension}`, import.meta.url), {
    workerData,
    ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
  });
}
