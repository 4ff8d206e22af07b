import type { AuditLogOptions, LogPlace } from './audit-log.ts';
import { AuditUnavailableError } from './errors.ts';
import type { RecordText } from './record.ts';
import { startThread } from './start-thread.ts';
import { reviveError, type Failure } from './thread-errors.ts';

/** What a log says after each request. */
export interface LogAnswer {
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
  readonly lastTimeMs: number;
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
