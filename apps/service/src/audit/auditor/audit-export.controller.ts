import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { AuditExportQuery } from '@caregate/domain';
import { validateAuditExportQuery } from '@caregate/domain/validate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AccessNames } from '../../access/access-names.ts';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { requireChunks } from '../../http/raw-request.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { csvEventHeader, csvEventRow } from '../export/csv.ts';
import { inPieces } from '../export/export-text.ts';
import { fhirEvents } from '../export/fhir-event.ts';
import { withoutOtherPatients } from '../export/records.ts';
import { PatientFinder } from '../http/patient-finder.ts';
import { auditActorId } from '../http/audit-events.controller.ts';
import {
  actorOf,
  deviceOf,
  EventPages,
  PAGE_WEIGHT,
  rangeOf,
  type ReadEvent,
} from '../http/event-pages.ts';
import type { EventsFilter } from '../trail/audit-trail.ts';
import type { RecordBody } from '../record/record-body.ts';

const PART = 1000;
const PART_BYTES = 2 ** 19;
const CSV: Format = {
  type: 'text/csv; charset=utf-8; header=present',
  name: 'audit-events.csv',
  weightOf: PAGE_WEIGHT.of,
  linesOf: csvOf,
};
const FHIR: Format = {
  type: 'application/fhir+ndjson; charset=utf-8',
  name: 'audit-events.ndjson',
  weightOf: (record) =>
    (2000 + JSON.stringify(record.details).length) * Math.max(1, record.patients.length),
  linesOf: fhirOf,
};

interface Format {
  readonly type: string;
  readonly name: string;
  readonly weightOf: (record: RecordBody) => number;
  readonly linesOf: (
    event: ReadEvent,
    names: AccessNames,
    patient: string | undefined,
  ) => Iterable<string>;
}

/** Exports the events of the auditor's team, newest first, in parts that together are one file. */
@Controller('audit/export')
export class AuditExportController {
  readonly #pages: EventPages;
  readonly #patients: PatientFinder;

  constructor(
    @Inject(EventPages) pages: EventPages,
    @Inject(PatientFinder) patients: PatientFinder,
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
  ): Promise<Readable> {
    requireChunks(request);
    const { format, cursor, limit = PART, client_user_id: clientUserId } = query;
    const patient = await this.#patients.userIdOf(teamId, query, request);
    const filter: EventsFilter = {
      team: teamId,
      patient,
      actor: auditActorId(query.actor_id),
      operations: query.operation === undefined ? undefined : [query.operation],
      decision: query.decision,
      ...rangeOf(query.from, query.to, 'to'),
    };
    const kind = `audit export ${format}`;
    const { type, name, weightOf, linesOf } = format === 'csv' ? CSV : FHIR;
    const weight = {
      of: (record: RecordBody) => weightOf(withoutOtherPatients(record, patient)),
      most: PART_BYTES,
    };
    const page = await this.#pages.page({
      ...{ kind, filter, cursor, limit, weight, isComplete: true },
    });
    const { events, names, nextCursor } = page;
    // As with events: the auditor sees no data of the patients.
    disclose({
      patients: [],
      recordCount: events.length,
      ...(clientUserId !== undefined && patient !== undefined && { aboutUserId: patient }),
    });
    reply.headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    });
    function* lines(): Generator<string> {
      if (format === 'csv' && cursor === undefined) {
        yield csvEventHeader;
      }
      for (const event of events) {
        yield* linesOf(event, names, patient);
      }
    }
    return Readable.from(yieldBetween(inPieces(lines())));
  }
}

async function* yieldBetween(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await yieldToEventLoop();
  }
}

function* csvOf(
  event: ReadEvent,
  names: AccessNames,
  patient: string | undefined,
): Generator<string> {
  const record = withoutOtherPatients(event.record, patient);
  yield csvEventRow(record, {
    recordId: event.recordId,
    actorName: actorOf(record, names).name ?? null,
    deviceName: deviceOf(record, names)?.name ?? null,
  });
}

function* fhirOf(
  event: ReadEvent,
  names: AccessNames,
  patient: string | undefined,
): Generator<string> {
  const record = withoutOtherPatients(event.record, patient);
  const known = { recordId: event.recordId, actorName: actorOf(record, names).name ?? null };
  for (const line of fhirEvents(record, known)) {
    yield `${JSON.stringify(line)}\n`;
  }
}
