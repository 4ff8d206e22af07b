import { AUDIT_CHANNELS } from '../../bridge/channels.ts';
import type { AuditChannel } from '../../bridge/channels.ts';
import type { AuditDesk } from '../audit/audit-desk.ts';
import type { DeskCalls } from '../session/desk-calls.ts';
import type { Handlers } from './handle-call.ts';

/** The auditor's desk, loaded on first use: most desks have no auditor. */
export function auditHandlers(calls: DeskCalls): Pick<Handlers, AuditChannel> {
  const deskOf = async (senderId: number): Promise<AuditDesk> => {
    const { AuditDesk } = await import('../audit/audit-desk.ts');
    return new AuditDesk({
      calls,
      save: async (name, make) => {
        const { saveFile } = await import('../audit/save-file.main.ts');
        return saveFile(senderId, name, make);
      },
    });
  };
  return Object.fromEntries(
    (Object.keys(AUDIT_CHANNELS) as AuditChannel[]).map((channel) => [
      channel,
      async (request: never, senderId: number) => (await deskOf(senderId))[channel](request),
    ]),
  ) as unknown as Pick<Handlers, AuditChannel>;
}
