import {
  auditLogState,
  exportAuditEvents,
  listAuditEvents,
  listBreakGlass,
  listDisclosures,
  reviewBreakGlass,
} from '@caregate/api-client/service';
import type { EventFilter, EventsQuery } from '@caregate/api-client/service';
import { isUuid, type AuditEvent, type AuditEventsPage } from '@caregate/domain';
import {
  validateAuditEventsPage,
  validateAuditLogState,
  validateBreakGlassGrantList,
  validateDisclosureList,
} from '@caregate/domain/validate';
import type { Validator } from '@caregate/domain/validate';
import type { AuditPage, AuditRow } from '../../shared/audit.ts';
import type {
  ReadAnswer,
  AuditRead,
  ReadParams,
  Received,
  ChannelRequest,
  ChannelResponse,
} from '../../shared/channels.ts';
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import { withoutNullish } from '../without-nullish.ts';
import type { Run } from '../service/service-client.ts';
import { toReceived, type ServiceSession } from '../service/service-session.ts';
import { auditNumber, parsePrintTime } from './desk-recorder.ts';

type Answer<R extends AuditRead> = Promise<Outcome<ReadAnswer<R>>>;

/** A desk's clock may be a day off, and its event may arrive a week late. */
const day = 24 * 60 * 60 * 1000;
const maxTime = Date.UTC(9999, 11, 31);

/** Reads the audit log for an auditor. Its methods throw only if a file can't be written. */
export class AuditDesk {
  readonly #calls: Pick<ServiceSession, 'call'>;

  constructor(calls: Pick<ServiceSession, 'call'>) {
    this.#calls = calls;
  }

  async listAuditEvents(
    params: ReadParams<'listAuditEvents'>,
    signal?: AbortSignal,
  ): Answer<'listAuditEvents'> {
    const { cursor, patient } = params;
    // An MRN may look like an audit number, so the search by MRN follows if there is no such record.
    if (patient !== undefined && cursor === undefined && auditNumber.test(patient)) {
      const number = patient.toLowerCase();
      const record = await this.#listEvents({ record: number }, signal);
      if (!record.ok || record.value.value.rows.length > 0) return record;
      const print = await this.#print(number, signal);
      if (!print.ok || print.value.value.rows.length > 0) return print;
    }
    return this.#listEvents({ ...buildFilter(params), cursor }, signal);
  }

  async #listEvents(
    query: EventsQuery,
    signal: AbortSignal | undefined,
  ): Answer<'listAuditEvents'> {
    const page = await this.#read(
      (service, options) => listAuditEvents(service, query, options),
      validateAuditEventsPage,
      { signal },
    );
    return page.ok
      ? succeed({ ...page.value, value: toAuditPage(page.value.value, query.patient) })
      : page;
  }

  /** Finds a print by its print number, which starts with the time of the print. */
  async #print(number: string, signal: AbortSignal | undefined): Answer<'listAuditEvents'> {
    const printedAt = parsePrintTime(number);
    // ISO dates have four-digit years, and an arbitrary number may stand for a time far beyond them.
    const [from, to] = [printedAt - day, printedAt + 8 * day].map((at) =>
      new Date(Math.min(at, maxTime)).toISOString(),
    );
    for (let cursor: string | undefined; ;) {
      const query = { operation: 'recordDeskEvent', from, to, cursor };
      const events = await this.#listEvents(query, signal);
      if (!events.ok) return events;
      const { rows, nextCursor } = events.value.value;
      const found = rows.filter(({ details }) =>
        details.some(({ name, value }) => name === 'number' && value === number),
      );
      cursor = nextCursor;
      if (found.length > 0 || cursor === undefined)
        return succeed({ ...events.value, value: { rows: found } });
    }
  }

  listBreakGlass(
    params: ReadParams<'listBreakGlass'>,
    signal?: AbortSignal,
  ): Answer<'listBreakGlass'> {
    return this.#read(
      (service, options) => listBreakGlass(service, { state: 'open', ...params }, options),
      validateBreakGlassGrantList,
      { signal },
    );
  }

  auditLogState(_params: object, signal?: AbortSignal): Answer<'auditLogState'> {
    return this.#read(auditLogState, validateAuditLogState, { signal });
  }

  listDisclosures(
    { userId, ...query }: ReadParams<'listDisclosures'>,
    signal?: AbortSignal,
  ): Answer<'listDisclosures'> {
    return this.#read(
      (service, options) => listDisclosures(service, userId, query, options),
      validateDisclosureList,
      { signal, showsPerson: true },
    );
  }

  async reviewBreakGlass({
    breakGlassId,
    ...review
  }: ChannelRequest<'reviewBreakGlass'>): Promise<Outcome<object>> {
    const reviewed = await this.#calls.call((service, options) =>
      reviewBreakGlass(service, breakGlassId, withoutNullish(review), options),
    );
    return reviewed.ok ? succeed({}) : reviewed;
  }

  /** `save` asks for a file and writes it completely or not at all. It returns false if the user cancelled. */
  async exportAuditEvents(
    request: ChannelRequest<'exportAuditEvents'>,
    save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>,
  ): Promise<Outcome<ChannelResponse<'exportAuditEvents'>>> {
    const calls = this.#calls;
    let records = 0;
    let failure: Extract<Outcome<never>, { ok: false }> | undefined;
    async function* exportPages(): AsyncGenerator<string> {
      for (let cursor: string | undefined; ;) {
        const query = { ...buildFilter(request), format: 'csv' as const, cursor };
        const page = await calls.call((service, options) =>
          exportAuditEvents(service, query, options),
        );
        if (!page.ok) {
          failure = page;
          throw new Error(page.problem.kind);
        }
        const { data, headers } = page.value;
        yield data;
        // Only the first page of the CSV export has a header line.
        records += countLines(data) - (cursor === undefined ? 1 : 0);
        cursor = headers['x-next-cursor'];
        if (cursor === undefined) return;
      }
    }
    try {
      const saved = await save('audit-events.csv', exportPages);
      return succeed({ saved, records: saved ? Math.max(0, records) : 0 });
    } catch (error) {
      if (failure !== undefined) return failure;
      throw error;
    }
  }

  /** Rejects an answer if any part of it is invalid, since an incomplete log misleads. */
  async #read<A extends object>(
    run: Run<unknown>,
    validate: Validator<A>,
    scope: Parameters<ServiceSession['call']>[1],
  ): Promise<Outcome<Received<A>>> {
    const answer = await this.#calls.call(run, scope);
    if (!answer.ok) return answer;
    const verdict = validate(answer.value.data);
    return verdict.ok ? succeed(toReceived(answer.value, verdict.value)) : fail('serverBroken');
  }
}

function buildFilter({ patient, from }: ReadParams<'listAuditEvents'>): EventFilter {
  const isOwn = patient !== undefined && isUuid(patient);
  return { ...(isOwn ? { patient: patient.toLowerCase() } : { clientUserId: patient }), from };
}

/** The service returns the user ID only if the request was for an MRN. */
function toAuditPage(page: AuditEventsPage, requestedId: string | undefined): AuditPage {
  return withoutNullish({
    userId: page.user_id ?? requestedId,
    rows: page.events.map(toRow),
    nextCursor: page.next_cursor,
  });
}

function toRow({ record_id: recordId, occurred_at: occurredAt, ...event }: AuditEvent): AuditRow {
  const { operation, decision, reason_code: reason, break_glass_id: grantId, details } = event.body;
  return withoutNullish({
    ...{ recordId, occurredAt, actor: event.actor, patients: event.patients },
    desk: event.device?.name ?? event.device?.id,
    operation: (operation ?? '') as string,
    decision: (decision ?? '') as string,
    emergency: reason === 'break_glass' || operation === 'breakGlass',
    breakGlassId: grantId as string | null,
    details: Object.entries(details ?? {}).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  });
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}
