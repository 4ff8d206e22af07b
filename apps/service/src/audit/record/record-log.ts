import {
  openAuditLog as openTextLog,
  type AuditLog as TextLog,
  type AuditLogOptions,
  type LogPlace,
} from '@caregate/audit-log';
import type { AuditRecorder } from './audit-entry.ts';
import { members } from './record-body.ts';
import { recordText } from './record-text.ts';

export type AuditLog = Omit<TextLog, 'record'> & AuditRecorder;
export type LogOptions = Omit<AuditLogOptions, 'members'>;

/** @throws as `openAuditLog` of the library */
export async function openAuditLog(place: LogPlace, options: LogOptions = {}): Promise<AuditLog> {
  const log = await openTextLog(place, { ...options, members });
  const { host: serverId } = options;
  return {
    get logId() {
      return log.logId;
    },
    get publicKey() {
      return log.publicKey;
    },
    record: (entry) => log.record(recordText(entry, { serverId })),
    checkpoint: () => log.checkpoint(),
    state: () => log.state(),
    verify: (share, signal) => log.verify(share, signal),
    close: () => log.close(),
  };
}
