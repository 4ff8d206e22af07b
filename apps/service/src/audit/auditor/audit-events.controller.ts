import { Controller, Get, Header, Param, Query, Req, Res } from '@nestjs/common';
import {
  type AuditAlarmsQuery,
  type AuditEvent,
  type AuditEventsPage,
  type AuditEventsQuery,
  type AuditExportQuery,
  type DisclosureList,
  type DisclosuresParams,
  type DisclosuresQuery,
} from '@caregate/domain';
import {
  validateAuditAlarmsQuery,
  validateAuditEventsQuery,
  validateAuditExportQuery,
  validateDisclosuresParams,
  validateDisclosuresQuery,
} from '@caregate/domain/validate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AccessNames } from '../../auth/repositories/name.repository.ts';
import { Operation } from '../../auth/operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../../auth/caller.ts';
import { CurrentDisclosure, JSON_MEDIA_TYPE, type Disclose } from '../../common/answer.ts';
import { requireChunks } from '../../http/raw-request.ts';
import { formatCsvHeader, formatCsvRow } from '../export/csv.ts';
import { joinChunks } from '../export/export-text.ts';
import { toFhirEvents } from '../export/fhir-event.ts';
import { ALARM_OPERATIONS } from '../audit-entries.ts';
import { formatRecordTime } from '../audit-record.ts';
import { withoutOtherPatients } from '../read-logs.ts';
import { RecordIds } from '../record-ids.ts';
import type { EventsFilter } from '../trail/trail-reader.ts';
import { describeDisclosure, isResponseRecord } from './disclosure.ts';
import {
  describeActor,
  describeDevice,
  EventPages,
  readRange,
  type EventPage,
  type NamedEvent,
} from './event-pages.ts';

const PAGE = { limit: 100, mostPatients: 10_000 };
const DISCLOSURES = { ...PAGE, isComplete: true };
/** Limits that give parts of about half a megabyte. In FHIR, each event is about one patient. */
const PARTS = {
  csv: { limit: 1000, mostPatients: 10_000, isComplete: true },
  fhir: { limit: 1000, mostPatients: 250, isComplete: true },
};
const NO_POSITION = { logId: '', seq: 0 };

/**
 * Audit events of the auditor's own team. Reading events is not recorded as a disclosure, or the log would grow with
 * every read.
 */
@Controller('audit')
export class AuditEventsController {
  constructor(
    private readonly pages: EventPages,
    private readonly recordIds: RecordIds,
  ) {}

  @Get('events')
  @Operation('listAuditEvents')
  @Header('content-type', JSON_MEDIA_TYPE)
  async listEvents(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditEventsQuery }) query: AuditEventsQuery,
    @Req() request: FastifyRequest,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const { cursor, log, record, client_user_id: clientUserId } = query;
    const filter = {
      ...(await this.pages.readFilter(teamId, query, request)),
      log,
      records: record === undefined ? undefined : [this.recordIds.decrypt(record) ?? NO_POSITION],
    };
    const page = await this.pages.readPage('audit events', cursor, { filter, ...PAGE });
    disclose(describeReading(page, clientUserId, filter));
    return {
      ...(await describeEvents(page)),
      ...(clientUserId !== undefined && { user_id: filter.patient ?? null }),
    };
  }

  /** Returns the alarms of the team. The service's own alarms are listed by `caregate audit alarms`. */
  @Get('alarms')
  @Operation('listAuditAlarms')
  @Header('content-type', JSON_MEDIA_TYPE)
  async listAlarms(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditAlarmsQuery }) { cursor }: AuditAlarmsQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const filter = { team: teamId, operations: ALARM_OPERATIONS };
    const page = await this.pages.readPage('alarms', cursor, { filter, ...PAGE, isComplete: true });
    disclose(describeReading(page));
    return await describeEvents(page);
  }

  @Get('export')
  @Operation('exportAuditEvents')
  async export(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditExportQuery }) query: AuditExportQuery,
    @CurrentDisclosure() disclose: Disclose,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    requireChunks(request);
    const { format, cursor, client_user_id: clientUserId } = query;
    const filter = await this.pages.readFilter(teamId, query, request);
    const part = PARTS[format];
    const limit = query.limit ?? part.limit;
    const page = await this.pages.readPage(`audit export ${format}`, cursor, {
      ...part,
      ...{ filter, limit },
    });
    disclose(describeReading(page, clientUserId, filter));
    const [type, ending] =
      format === 'csv'
        ? ['text/csv; charset=utf-8; header=present', 'csv']
        : ['application/fhir+ndjson; charset=utf-8', 'ndjson'];
    reply.headers({
      'content-type': type,
      'content-disposition': `attachment; filename="audit-events.${ending}"`,
      ...(page.nextCursor !== null && { 'x-next-cursor': page.nextCursor }),
    });
    const lines =
      format === 'csv'
        ? formatCsvLines(page, filter.patient, cursor === undefined)
        : formatFhirLines(page, filter.patient);
    return Readable.from(yieldBetweenChunks(joinChunks(lines)));
  }

  /** Accounting of disclosures (45 CFR 164.528): to whom data of a patient was disclosed, when, what and why. */
  @Get('patients/:user_id/disclosures')
  @Operation('listDisclosures')
  @Header('content-type', JSON_MEDIA_TYPE)
  async listDisclosures(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateDisclosuresParams }) { user_id: id }: DisclosuresParams,
    @Query({ schema: validateDisclosuresQuery }) query: DisclosuresQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<DisclosureList> {
    const { start_date, end_date, cursor, limit = PAGE.limit } = query;
    const patient = id.toLowerCase();
    const range = readRange(start_date, end_date, ['start_date', 'end_date']);
    const filter = { team: teamId, patient, decision: 'allowed', ...range } as const;
    const request = { ...DISCLOSURES, filter, limit };
    const { events, names, nextCursor } = await this.pages.readPage('disclosures', cursor, request);
    const disclosures = events
      .filter(({ record }) => isResponseRecord(record))
      .map((event) => describeDisclosure(event, names));
    // This record says that the patient was asked about, not that data was disclosed.
    disclose({ patients: [], recordCount: disclosures.length });
    return {
      ...{ user_id: patient, from: start_date ?? null, to: end_date ?? null },
      ...{ disclosures, next_cursor: nextCursor },
    };
  }
}

function describeReading(
  { events }: EventPage,
  clientUserId?: string,
  { patient }: Pick<EventsFilter, 'patient'> = {},
): Parameters<Disclose>[0] {
  return {
    patients: [],
    recordCount: events.length,
    ...(clientUserId !== undefined && patient !== undefined && { aboutUserId: patient }),
  };
}

async function describeEvents({
  logId,
  events,
  names,
  nextCursor,
}: EventPage): Promise<AuditEventsPage> {
  const described: AuditEvent[] = [];
  for (const event of events) {
    await yieldToEventLoop();
    described.push(describeEvent(event, names));
  }
  return { log_id: logId, events: described, next_cursor: nextCursor };
}

/** Leaves out the position, which would reveal the number of records of all teams. Proofs include it. */
function describeEvent(
  { recordId, logId, record, body, salt }: NamedEvent,
  names: AccessNames,
): AuditEvent {
  return {
    ...{ record_id: recordId, log_id: logId, salt },
    patients: [...record.patients],
    occurred_at: formatRecordTime(record),
    actor: describeActor(record, names),
    session_id: record.session_id,
    device: describeDevice(record, names),
    body: JSON.parse(body) as Record<string, unknown>,
  };
}

function* formatCsvLines(
  { events, names }: EventPage,
  patient: string | undefined,
  hasHeader: boolean,
): Generator<string> {
  if (hasHeader) {
    yield formatCsvHeader('record_id');
  }
  for (const event of events) {
    const record = withoutOtherPatients(event.record, patient);
    yield formatCsvRow(record, {
      recordId: event.recordId,
      actorName: describeActor(record, names).name ?? null,
      deviceName: describeDevice(record, names)?.name ?? null,
    });
  }
}

function* formatFhirLines(
  { events, names }: EventPage,
  patient: string | undefined,
): Generator<string> {
  for (const event of events) {
    const record = withoutOtherPatients(event.record, patient);
    const { recordId } = event;
    const actorName = describeActor(record, names).name ?? null;
    for (const line of toFhirEvents(record, { recordId, actorName })) {
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

async function* yieldBetweenChunks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk;
    await yieldToEventLoop();
  }
}
