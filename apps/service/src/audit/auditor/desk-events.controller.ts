import { Body, Controller, Post } from '@nestjs/common';
import type { DeskEvent, DeskEventRecorded } from '@caregate/domain';
import { validateDeskEvent } from '@caregate/domain/validate';
import { Operation } from '../../auth/operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../../auth/caller.ts';
import { CurrentDisclosure, type Disclose } from '../../common/answer.ts';
import { createInvalidParameterError } from '../../problem/problem-error.ts';
import type { AuditRecord } from '../audit-record.ts';
import { RecordIds } from '../record-ids.ts';
import { AuditTrail } from '../trail/audit-trail.ts';
import { DESK_EVENT, isResponseRecord } from './disclosure.ts';

/** Maximum number of patients in all records of an event. */
const MOST_PATIENTS = 5000;

@Controller('audit/desk-events')
export class DeskEventsController {
  constructor(
    private readonly trail: AuditTrail,
    private readonly recordIds: RecordIds,
  ) {}

  /**
   * Records the event. The audit record of this response is that record, so the desk may print once it has the
   * response.
   */
  @Post()
  @Operation('recordDeskEvent')
  async record(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Body({ schema: validateDeskEvent }) event: DeskEvent,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<DeskEventRecorded> {
    const { kind, document, pages, copies, number } = event;
    const ids = event.record_ids.map((id) => id.toLowerCase());
    const records = await this.#findRecords(teamId, ids);
    const grants = new Set(records.map((record) => record.break_glass_id));
    const [grantId = null] = grants.size === 1 ? grants : [];
    disclose({
      patients: [...new Set(records.flatMap(listPatients))],
      recordCount: records.length,
      ...(grantId === null ? {} : { breakGlassId: grantId }),
      details: {
        kind,
        document,
        ...(pages === undefined ? {} : { pages }),
        ...(copies === undefined ? {} : { copies }),
        ...(number === undefined ? {} : { number: number.toLowerCase() }),
        ...(isSecondary(records) ? { is_primary: 'false' } : {}),
        records: [...new Set(ids)].join(' '),
      },
      bodyWithRecord: (recordId) => JSON.stringify({ record_id: recordId }),
    });
    return { record_id: '' };
  }

  /**
   * @throws ProblemError 422 with the number of IDs that don't belong to responses to this team. It doesn't say why.
   */
  async #findRecords(teamId: string, ids: readonly string[]): Promise<readonly AuditRecord[]> {
    const records = [...new Set(ids)].flatMap((id) => this.recordIds.decrypt(id) ?? []);
    const filter = { team: teamId, records, decision: 'allowed' } as const;
    const { events, next } = await this.trail.readPage({
      ...{ filter, limit: records.length + 1, mostPatients: MOST_PATIENTS },
    });
    if (next !== undefined) {
      const reason = `are of more than ${MOST_PATIENTS} people`;
      throw createInvalidParameterError({ parameter: 'record_ids', reason });
    }
    const found = new Map<string, AuditRecord>();
    for (const { logId, seq, record } of events) {
      if (isResponseRecord(record) && listPatients(record).length > 0) {
        found.set(this.recordIds.encrypt({ logId, seq }), record);
      }
    }
    const invalidPositions = ids.flatMap((id, at) => (found.has(id) ? [] : [at + 1]));
    if (invalidPositions.length > 0) {
      const which = invalidPositions.length === 1 ? 'is' : 'are';
      throw createInvalidParameterError({
        parameter: 'record_ids',
        reason: `item ${invalidPositions.join(', ')} ${which} not of a response that showed data to this team`,
      });
    }
    return [...found.values()];
  }
}

function isSecondary(records: readonly AuditRecord[]): boolean {
  const insurances = records.filter(({ operation }) => operation === 'latestInsurance');
  return (
    insurances.length > 0 && insurances.every(({ details }) => details['is_primary'] === 'false')
  );
}

function listPatients({ operation, patients, details }: AuditRecord): readonly string[] {
  if (operation === DESK_EVENT) {
    return [];
  }
  const requestedUserId = details['asked_user_id'];
  return operation === 'listDisclosures' && typeof requestedUserId === 'string'
    ? [requestedUserId]
    : patients;
}
