import { Worker } from 'node:worker_threads';
import type { AuditLogOptions, LogPlace } from './audit-log.ts';
import {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  LogRefusedError,
  NoAuditLogError,
} from './errors.ts';
import type { RecordText } from './record.ts';

/** What a log says after each request. */
export interface LogAnswer {
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
  /** Number of the first record that was appended. */
  readonly first: number;
}

/** `refresh` reads what others appended; `probe` also shows whether the storage takes a commit. */
export type LogRequest =
  | { readonly kind: 'append'; readonly texts: readonly RecordText[] }
  | { readonly kind: 'refresh' | 'probe' };

/** Appends to an opened log. One request at a time. */
export interface LogBackend {
  readonly opened: LogAnswer;
  ask(request: LogRequest): Promise<LogAnswer>;
  close(): Promise<void>;
}

export interface ThreadData {
  readonly place: LogPlace;
  readonly options: Omit<AuditLogOptions, 'onStateChange' | 'queueLimit'>;
}

export type ThreadMessage = { readonly answer: LogAnswer } | { readonly failure: Failure };

/** Starts a module of this package as a thread: `.js` when built, `.ts` in tests, which read the workspace's packages from source. */
export function startThread(name: string, workerData: unknown): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.worker.${extension}`, import.meta.url), {
    workerData,
    ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
  });
}

interface Waiting {
  readonly resolve: (answer: LogAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a log on SQLite in a thread, whose commits wait for the disk. @throws as `openAppender` */
export async function openInThread(data: ThreadData): Promise<LogBackend> {
  const worker = startThread('log', data);
  let waiting: Waiting | undefined;
  const next = (): Promise<LogAnswer> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
  const opening = next();
  const end = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };
  worker.on('message', (message: ThreadMessage) => {
    if ('answer' in message) {
      waiting?.resolve(message.answer);
      waiting = undefined;
    } else {
      end(reviveError(message.failure));
    }
  });
  worker.on('error', (error) => {
    end(error as Error);
  });
  let hasEnded = false;
  const exit = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      hasEnded = true;
      end(new AuditUnavailableError('The thread of the audit log ended', { isRefused: false }));
      resolve();
    });
  });
  const opened = await opening;
  return {
    opened,
    ask: (request) => {
      if (hasEnded) {
        return Promise.reject(new AuditUnavailableError('The thread of the audit log ended'));
      }
      const answer = next();
      worker.postMessage(request);
      return answer;
    },
    close: async () => {
      worker.postMessage({ kind: 'close' });
      await exit;
    },
  };
}

type Failure = ReturnType<typeof describeError>;

/** An error as a message between threads. */
export function describeError(error: unknown) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    name,
    message,
    ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    ...(error instanceof LogRefusedError && { kind: error.kind }),
    ...(error instanceof AuditUnavailableError && { isRefused: error.isRefused }),
  };
}

export function reviveError({
  name,
  message,
  breach,
  seq,
  kind,
  isRefused = false,
}: Failure): Error {
  if (breach !== undefined) {
    return new AuditBrokenError(breach, message, seq);
  }
  if (kind !== undefined) {
    return new LogRefusedError(kind, message);
  }
  switch (name) {
    case 'AuditUnavailableError':
      return new AuditUnavailableError(message, { isRefused });
    case 'NoAuditLogError':
      return new NoAuditLogError(message);
    case 'AuditLogError':
      return new AuditLogError(message);
    default:
      return new Error(message);
  }
}
