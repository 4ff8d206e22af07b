import type { LogBackend, LogOptions } from './log-backend.ts';
import type { LogPlace } from './log-place.ts';
import type { Members } from './record.ts';
import { Thread, WORKER_EXTENSION } from './thread.ts';

/** The log that a thread opens. Without it, the thread only verifies. */
export interface LogTask {
  readonly place: LogPlace;
  readonly options: LogOptions;
}

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

function startThread(task?: LogTask): Thread {
  return new Thread(new URL(`./log.worker.${WORKER_EXTENSION}`, import.meta.url), task);
}

/** Opens a log on SQLite in a worker thread, since commits wait for the disk. @throws the errors of `openAppender` */
export async function openInThread(place: LogPlace, options: LogOptions): Promise<LogBackend> {
  const thread = startThread({ place, options });
  const backend = thread.createProxy<LogBackend>(['state', 'append', 'refresh', 'probe']);
  try {
    await backend.state();
    return backend;
  } catch (error) {
    await thread.terminate();
    throw error;
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
  const thread = startThread();
  const end = (): void => void thread.terminate();
  signal?.addEventListener('abort', end);
  try {
    return (await thread.call('verify', request)) as { readonly size: number };
  } finally {
    signal?.removeEventListener('abort', end);
    await thread.terminate();
  }
}
