import type { ApiResponse } from '@caregate/api-client';
import {
  auditLogState,
  exportAuditEvents,
  listAuditAlarms,
  listAuditEvents,
  listBreakGlass,
  listDisclosures,
  reviewBreakGlass,
} from '@caregate/api-client/service';
import type { EventFilter, EventsQuery } from '@caregate/api-client/service';
import {
  auditPageSchema,
  disclosuresSchema,
  grantsSchema,
  logStateSchema,
  recordNumber,
} from '../../bridge/audit.ts';
import type { AuditPage, Disclosures } from '../../bridge/audit.ts';
import type { Received, RequestOf, ResponseOf } from '../../bridge/channels.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome } from '../../bridge/problem.ts';
import type { Schema } from '../../bridge/schema.ts';
import type { Run } from '../service/service-client.ts';
import { receivedFrom } from '../service/service-session.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { timeOfPrint } from './desk-recorder.ts';
import { disclosuresOf, grantsOf, logStateOf, pageOf } from './read-answer.ts';

interface AuditDeskParts {
  readonly calls: Pick<ServiceSession, 'call' | 'cancellable'>;
  /** Asks where to save, and writes all or nothing; false if cancelled. */
  readonly save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** A desk's clock may be a day wrong, and its event may come a week late. */
const day = 24 * 60 * 60 * 1000;
const latest = Date.UTC(9999, 11, 31);
const fileNames = { csv: 'audit-events.csv', fhir: 'audit-events.ndjson' } as const;

/** The auditor's requests. Never throws, except where a file can't be written. */
export class AuditDesk {
  readonly #parts: AuditDeskParts;

  constructor(parts: AuditDeskParts) {
    this.#parts = parts;
  }

  async listAuditEvents(
    request: RequestOf<'listAuditEvents'>,
  ): Promise<Outcome<Received<AuditPage>>> {
    const { call, cursor, patient } = request;
    // May also be a client id that looks like an audit number.
    if (patient !== undefined && cursor === undefined && recordNumber.test(patient)) {
      const number = patient.toLowerCase();
      for (const find of [
        () => this.#events(call, { record: number }),
        () => this.#print(call, number),
      ]) {
        const found = await find();
        if (!found.ok || found.value.value.rows.length > 0) return found;
      }
    }
    return this.#events(call, { ...filterOf(request), cursor });
  }

  #events(call: string, query: EventsQuery): Promise<Outcome<Received<AuditPage>>> {
    return this.#read(call, (service, options) => listAuditEvents(service, query, options), [
      pageOf,
      auditPageSchema,
    ]);
  }

  /** The record of a print, by the number on its paper, which begins with the time of its making. */
  async #print(call: string, number: string): Promise<Outcome<Received<AuditPage>>> {
    const madeAt = timeOfPrint(number);
    // Dates need four-digit years; a random number is far beyond them.
    const [from, to] = [madeAt - day, madeAt + 8 * day].map((at) =>
      new Date(Math.min(at, latest)).toISOString(),
    );
    for (let cursor: string | undefined; ;) {
      const query = { operation: 'recordDeskEvent', from, to, cursor };
      const page = await this.#events(call, query);
      if (!page.ok) return page;
      const { rows, nextCursor } = page.value.value;
      const found = rows.filter(({ details }) =>
        details.some(({ name, value }) => name === 'number' && value === number),
      );
      cursor = nextCursor;
      if (found.length > 0 || cursor === undefined)
        return { ok: true, value: { ...page.value, value: { rows: found } } };
    }
  }

  listAuditAlarms({
    call,
    cursor,
  }: RequestOf<'listAuditAlarms'>): Promise<Outcome<Received<AuditPage>>> {
    return this.#read(call, (service, options) => listAuditAlarms(service, { cursor }, options), [
      pageOf,
      auditPageSchema,
    ]);
  }

  listBreakGlass({
    call,
    ...query
  }: RequestOf<'listBreakGlass'>): Promise<Outcome<ResponseOf<'listBreakGlass'>>> {
    return this.#read(call, (service, options) => listBreakGlass(service, query, options), [
      grantsOf,
      grantsSchema,
    ]);
  }

  async auditLogState({
    call,
  }: RequestOf<'auditLogState'>): Promise<Outcome<ResponseOf<'auditLogState'>>> {
    const state = await this.#read(call, auditLogState, [logStateOf, logStateSchema]);
    return state.ok ? { ok: true, value: state.value.value } : state;
  }

  listDisclosures({
    call,
    userId,
    ...query
  }: RequestOf<'listDisclosures'>): Promise<Outcome<Received<Disclosures>>> {
    return this.#read(
      call,
      (service, options) => listDisclosures(service, userId, query, options),
      [disclosuresOf, disclosuresSchema],
      { showsPerson: true },
    );
  }

  async reviewBreakGlass({
    call,
    breakGlassId,
    outcome,
    note,
  }: RequestOf<'reviewBreakGlass'>): Promise<Outcome<Record<string, never>>> {
    const review = { outcome, ...(note !== undefined && { note }) };
    const reviewed = await this.#call(call, (service, options) =>
      reviewBreakGlass(service, breakGlassId, review, options),
    );
    return reviewed.ok ? { ok: true, value: {} } : reviewed;
  }

  /** All events of the query in one file; the service records each part. */
  async exportAuditEvents(
    request: RequestOf<'exportAuditEvents'>,
  ): Promise<Outcome<ResponseOf<'exportAuditEvents'>>> {
    const { calls, save } = this.#parts;
    const { format } = request;
    let records = 0;
    let failure: Extract<Outcome<never>, { ok: false }> | undefined;
    return calls.cancellable(request.call, async (signal) => {
      async function* parts(): AsyncGenerator<string> {
        for (let cursor: string | undefined; ;) {
          const query = { ...filterOf(request), format, cursor };
          const part = await calls.call(
            (service, options) => exportAuditEvents(service, query, options),
            { signal },
          );
          if (!part.ok) {
            failure = part;
            throw new Error(part.problem.kind);
          }
          const { data, headers } = part.value;
          yield data;
          // The first part of a CSV has the header.
          records += linesIn(data) - (format === 'csv' && cursor === undefined ? 1 : 0);
          cursor = headers['x-next-cursor'];
          if (cursor === undefined) return;
        }
      }
      try {
        const saved = await save(fileNames[format], parts);
        return { ok: true, value: { saved, records: saved ? Math.max(0, records) : 0 } };
      } catch (error) {
        if (failure !== undefined) return failure;
        throw error;
      }
    });
  }

  async #read<A, T>(
    call: string,
    run: Run<A>,
    [read, schema]: readonly [(answer: A) => T, Schema<T>],
    scope?: { readonly showsPerson: boolean },
  ): Promise<Outcome<Received<T>>> {
    const answer = await this.#call(call, run, scope);
    if (!answer.ok) return answer;
    try {
      // An invalid answer is refused whole: half a log on a screen is worse than none.
      const verdict = schema(read(answer.value.data));
      if (verdict.ok) return { ok: true, value: receivedFrom(answer.value, verdict.value) };
    } catch {
      // Fields of other types than the interface has.
    }
    return failed('serverBroken');
  }

  #call<T>(
    call: string,
    run: Run<T>,
    scope?: { readonly showsPerson: boolean },
  ): Promise<Outcome<ApiResponse<T>>> {
    const { calls } = this.#parts;
    return calls.cancellable(call, (signal) => calls.call(run, { ...scope, signal }));
  }
}

/** A patient by id: the service's own, or the clinic's. */
function filterOf({
  patient,
  actor,
  from,
  to,
}: Partial<Omit<RequestOf<'exportAuditEvents'>, 'call' | 'format'>>): EventFilter {
  const isOwn = patient !== undefined && uuid.test(patient);
  return {
    ...(isOwn ? { patient: patient.toLowerCase() } : { clientUserId: patient }),
    ...{ actorId: actor, from, to },
  };
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}
