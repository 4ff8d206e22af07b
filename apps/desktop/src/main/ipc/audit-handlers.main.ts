import type { AuditChannel } from '../../bridge/api.ts';
import type { AuditDesk } from '../audit/audit-desk.ts';
import type { DeskCalls } from '../session/desk-calls.ts';
import { accessProblem } from '../service/service-problem.ts';
import type { Handlers } from './handle-call.ts';

/** Of the auditor's desk; and `cancel` for its calls. */
export function auditHandlers(calls: DeskCalls): {
  readonly handlers: Pick<Handlers, AuditChannel>;
  readonly cancel: (call: string) => void;
} {
  const partsOf = (senderId: number): ConstructorParameters<typeof AuditDesk>[0] => ({
    request: (asked) => calls.request(asked),
    problemOf: (answer) => ({ ok: false, problem: accessProblem(answer, Date.now()) }),
    save: async (name, make) => {
      const { saveFile } = await import('../audit/save-file.main.ts');
      return saveFile(senderId, name, make);
    },
  });
  const desks = new Map<number, AuditDesk>();
  /** Loaded at the first question of an auditor: most desks have none. */
  const deskOf = async (senderId: number): Promise<AuditDesk> => {
    const { AuditDesk } = await import('../audit/audit-desk.ts');
    const desk = desks.get(senderId) ?? new AuditDesk(partsOf(senderId));
    desks.set(senderId, desk);
    return desk;
  };
  return {
    handlers: {
      auditEvents: async (asked, senderId) => (await deskOf(senderId)).events(asked),
      auditAlarms: async (asked, senderId) => (await deskOf(senderId)).alarms(asked),
      grants: async (asked, senderId) => (await deskOf(senderId)).grants(asked),
      reviewGrant: async (asked, senderId) => (await deskOf(senderId)).review(asked),
      logState: async (asked, senderId) => (await deskOf(senderId)).logState(asked),
      disclosures: async (asked, senderId) => (await deskOf(senderId)).disclosures(asked),
      exportAudit: async (asked, senderId) => (await deskOf(senderId)).export(asked),
    },
    cancel: (call) => {
      for (const desk of desks.values()) desk.cancel(call);
    },
  };
}
