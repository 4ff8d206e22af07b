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
} from '../../shared/audit.ts';
import type { AuditChannel, Received, RequestOf, ResponseOf } from '../../shared/channels.ts';
import { failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import { known } from '../../shared/schema.ts';
import type { Schema } from '../../shared/schema.ts';
import type { Run } from '../service/service-client.ts';
import { receivedFrom } from '../service/service-session.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { timeOfPrint } from './desk-recorder.ts';
import { disclosuresOf, grantsOf, logStateOf, pageOf } from './read-answer.ts';

type Answer<C extends AuditChannel> = Promise<Outcome<ResponseOf<C>>>;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** A desk's clock may be a day wrong, and its event may come a week late. */
const day = 24 * 60 * 60 * 1000;
const latest = Date.UTC(9999, 11, 31);
const fileNames = { csv: 'audit-events.csv', fhir: 'audit-events.ndjson' } as const;
const page = [pageOf, auditPageSchema] as const;

/** Throws only where a file can't be written. */
export class AuditDesk {
  readonly #calls: Pick<ServiceSession, 'call' | 'cancellable'>;
  readonly #save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>;

  /** `save` asks where to, and writes all or nothing; false if cancelled. */
  constructor(
    calls: Pick<ServiceSession, 'call' | 'cancellable'>,
    save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>,
  ) {
    this.#calls = calls;
    this.#save = save;
  }

  async listAuditEvents(request: RequestOf<'listAuditEvents'>): Answer<'listAuditEvents'> {
    const { call, cursor, patient } = request;
    // May also be a client id that looks like an audit number.
    if (patient !== undefined && cursor === undefined && recordNumber.test(patient)) {
      const number = patient.toLowerCase();
      const record = await this.#events(call, { record: number });
      if (!record.ok || record.value.value.rows.length > 0) return record;
      const print = await this.#print(call, number);
      if (!print.ok || print.value.value.rows.length > 0) return print;
    }
    return this.#events(call, { ...filterOf(request), cursor });
  }

  #events(call: string, query: EventsQuery): Answer<'listAuditEvents'> {
    return this.#read(call, (service, options) => listAuditEvents(service, query, options), page);
  }

  /** By the number on the paper, which begins with the time of its making. */
  async #print(call: string, number: string): Answer<'listAuditEvents'> {
    const madeAt = timeOfPrint(number);
    // Dates need four-digit years; a random number is far beyond them.
    const [from, to] = [madeAt - day, madeAt + 8 * day].map((at) =>
      new Date(Math.min(at, latest)).toISOString(),
    );
    for (let cursor: string | undefined; ;) {
      const query = { operation: 'recordDeskEvent', from, to, cursor };
      const events = await this.#events(call, query);
      if (!events.ok) return events;
      const { rows, nextCursor } = events.value.value;
      const found = rows.filter(({ details }) =>
        details.some(({ name, value }) => name === 'number' && value === number),
      );
      cursor = nextCursor;
      if (found.length > 0 || cursor === undefined)
        return { ok: true, value: { ...events.value, value: { rows: found } } };
    }
  }

  listAuditAlarms({ call, ...query }: RequestOf<'listAuditAlarms'>): Answer<'listAuditAlarms'> {
    return this.#read(call, (service, options) => listAuditAlarms(service, query, options), page);
  }

  listBreakGlass({ call, ...query }: RequestOf<'listBreakGlass'>): Answer<'listBreakGlass'> {
    return this.#read(call, (service, options) => listBreakGlass(service, query, options), [
      grantsOf,
      grantsSchema,
    ]);
  }

  async auditLogState({ call }: RequestOf<'auditLogState'>): Answer<'auditLogState'> {
    const state = await this.#read(call, auditLogState, [logStateOf, logStateSchema]);
    return state.ok ? { ok: true, value: state.value.value } : state;
  }

  listDisclosures(request: RequestOf<'listDisclosures'>): Answer<'listDisclosures'> {
    const { call, userId, ...query } = request;
    return this.#read(
      call,
      (service, options) => listDisclosures(service, userId, query, options),
      [disclosuresOf, disclosuresSchema],
      { showsPerson: true },
    );
  }

  async reviewBreakGlass(request: RequestOf<'reviewBreakGlass'>): Answer<'reviewBreakGlass'> {
    const { call, breakGlassId, ...review } = request;
    const reviewed = await this.#call(call, (service, options) =>
      reviewBreakGlass(service, breakGlassId, known(review), options),
    );
    return reviewed.ok ? { ok: true, value: {} } : reviewed;
  }

  async exportAuditEvents(request: RequestOf<'exportAuditEvents'>): Answer<'exportAuditEvents'> {
    const [calls, save] = [this.#calls, this.#save];
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
    return this.#calls.cancellable(call, (signal) => this.#calls.call(run, { ...scope, signal }));
  }
}

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
