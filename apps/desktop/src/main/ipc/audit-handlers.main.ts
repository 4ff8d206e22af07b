import type { AuditChannel } from '../../bridge/api.ts';
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
  return {
    auditEvents: async (request, senderId) => (await deskOf(senderId)).events(request),
    auditAlarms: async (request, senderId) => (await deskOf(senderId)).alarms(request),
    grants: async (request, senderId) => (await deskOf(senderId)).grants(request),
    reviewGrant: async (request, senderId) => (await deskOf(senderId)).review(request),
    logState: async (request, senderId) => (await deskOf(senderId)).logState(request),
    disclosures: async (request, senderId) => (await deskOf(senderId)).disclosures(request),
    exportAudit: async (request, senderId) => (await deskOf(senderId)).export(request),
  };
}
