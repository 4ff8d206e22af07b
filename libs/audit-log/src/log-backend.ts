import { appendBatch } from './append-batch.ts';
import type { AuditLogOptions, LogPlace } from './audit-log.ts';
import type { LogAnswer, LogBackend } from './log-thread.ts';
import { openAppender } from './open-appender.ts';

/** Opens a log in this thread. @throws as `openAppender` */
export async function openBackend(
  place: LogPlace,
  options: Omit<AuditLogOptions, 'onStateChange' | 'queueLimit'>,
): Promise<LogBackend> {
  const opened = await openAppender(place, options);
  const { appender, storage } = opened;
  const answer = (first: number): LogAnswer => ({
    logId: appender.logId,
    publicKey: appender.publicKey,
    checkpoint: appender.checkpoint,
    lastTimeMs: appender.lastTimeMs,
    first,
  });
  return {
    opened: answer(appender.size),
    ask: async (request) => {
      if (request.kind === 'append') {
        return answer(await appendBatch(opened, request.texts));
      }
      await (request.kind === 'refresh' ? appender.refresh() : appender.lookUp([]));
      return answer(appender.size);
    },
    close: () => storage.close(),
  };
}
