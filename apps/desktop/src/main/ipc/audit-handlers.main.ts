import type { AuditChannel } from '../../bridge/api.ts';
import { AuditDesk } from '../audit/audit-desk.ts';
import { saveFile } from '../audit/save-file.main.ts';
import type { DeskSession } from '../session/desk-session.ts';
import { accessProblem } from '../service/service-problem.ts';
import type { Handlers } from './handle-call.ts';

/** Of the auditor's desk; and `cancel` for its calls. */
export function auditHandlers(deskSession: DeskSession): {
  readonly handlers: Pick<Handlers, AuditChannel>;
  readonly cancel: (call: string) => void;
} {
  const partsOf = (senderId: number): ConstructorParameters<typeof AuditDesk>[0] => ({
    request: (asked) => deskSession.request(asked),
    problemOf: (answer) => ({ ok: false, problem: accessProblem(answer, Date.now()) }),
    save: (name, make) => saveFile(senderId, name, make),
  });
  const desks = new Map<number, AuditDesk>();
  const deskOf = (senderId: number): AuditDesk => {
    const desk = desks.get(senderId) ?? new AuditDesk(partsOf(senderId));
    desks.set(senderId, desk);
    return desk;
  };
  return {
    handlers: {
      auditEvents: (asked, senderId) => deskOf(senderId).events(asked),
      auditAlarms: (asked, senderId) => deskOf(senderId).alarms(asked),
      grants: (asked, senderId) => deskOf(senderId).grants(asked),
      reviewGrant: (asked, senderId) => deskOf(senderId).review(asked),
      logState: (asked, senderId) => deskOf(senderId).logState(asked),
      disclosures: (asked, senderId) => deskOf(senderId).disclosures(asked),
      exportAudit: (asked, senderId) => deskOf(senderId).export(asked),
    },
    cancel: (call) => {
      for (const desk of desks.values()) desk.cancel(call);
    },
  };
}
