import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { AuditExportQuery } from '@caregate/domain';
import { validateAuditExportQuery } from '@caregate/domain/validate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessNames } from '../../access/access-names.ts';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { csvEventHeader, csvEventRow } from '../export/csv.ts';
import { fhirEvents } from '../export/fhir-event.ts';
import { withoutOtherPatients } from '../export/records.ts';
import { AskedPatients } from '../http/asked-patients.ts';
import { actorIdAsked } from '../http/audit-events.controller.ts';
import { actorOf, deviceOf, EventPages, rangeOf, type ReadEvent } from '../http/event-pages.ts';
import type { EventsFilter } from '../trail/events-filter.ts';

const PART = 1000;
const FILES = {
  csv: { type: 'text/csv; charset=utf-8; header=present', name: 'audit-events.csv' },
  fhir: { type: 'application/fhir+ndjson; charset=utf-8', name: 'audit-events.ndjson' },
} as const;

/** Exports of the events of the auditor's team, newest first, in parts that put together are one file. */
@Controller('audit/export')
export class AuditExportController {
  readonly #pages: EventPages;
  readonly #patients: AskedPatients;

  constructor(
    @Inject(EventPages) pages: EventPages,
    @Inject(AskedPatients) patients: AskedPatients,
  ) {
    this.#pages = pages;
    this.#patients = patients;
  }

  @Get()
  @Operation('exportAuditEvents')
  async part(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditExportQuery }) query: AuditExportQuery,
    @CurrentDisclosure() disclose: Disclose,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { format, cursor, limit = PART, client_user_id: clientUserId } = query;
    const patient = await this.#patients.userIdOf(teamId, query, request);
    const filter: EventsFilter = {
      teamId,
      patient,
      actor: actorIdAsked(query.actor_id),
      operations: query.operation === undefined ? undefined : [query.operation],
      decision: query.decision,
      ...rangeOf(query.from, query.to, 'to'),
    };
    const kind = `audit export ${format}`;
    const { events, names, nextCursor } = await this.#pages.page({ kind, filter, cursor, limit });
    // As with events: the patients of the records are not shown their data.
    disclose({
      patients: [],
      recordCount: events.length,
      ...(clientUserId !== undefined && patient !== undefined && { aboutUserId: patient }),
    });
    const { type, name } = FILES[format];
    reply.headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    });
    const header = format === 'csv' && cursor === undefined ? csvEventHeader : '';
    const lineOf = format === 'csv' ? csvOf : fhirOf;
    return header + events.map((event) => lineOf(event, names, patient)).join('');
  }
}

function csvOf(event: ReadEvent, names: AccessNames, patient: string | undefined): string {
  const record = withoutOtherPatients(event.record, patient);
  return csvEventRow(record, {
    recordId: event.recordId,
    actorName: actorOf(record, names).name ?? null,
    deviceName: deviceOf(record, names)?.name ?? null,
  });
}

function fhirOf(event: ReadEvent, names: AccessNames, patient: string | undefined): string {
  const record = withoutOtherPatients(event.record, patient);
  const known = { recordId: event.recordId, actorName: actorOf(record, names).name ?? null };
  return [...fhirEvents(record, known)].map((line) => `${JSON.stringify(line)}\n`).join('');
}
