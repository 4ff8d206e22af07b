import {
  auditLogState,
  exportAuditEvents,
  listAuditEvents,
  listBreakGlass,
  listDisclosures,
  reviewBreakGlass,
} from '@caregate/api-client/service';
import type { EventFilter, EventsQuery } from '@caregate/api-client/service';
import {
  validateAuditEventsPage,
  validateAuditLogState,
  validateBreakGlassGrantList,
  validateDisclosureList,
} from '@caregate/domain/validate';
import type { Validator } from '@caregate/domain/validate';
import { recordNumber } from '../../shared/audit.ts';
import type {
  AnswerTo,
  AuditRead,
  ParamsOf,
  Received,
  RequestOf,
  ResponseOf,
} from '../../shared/channels.ts';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import { withoutNullish } from '../without-nullish.ts';
import type { Run } from '../service/service-client.ts';
import { toReceived } from '../service/service-session.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { timeOfPrint } from './desk-recorder.ts';
import { readDisclosures, readGrants, readLogState, readPage } from './read-answer.ts';

type Answer<R extends AuditRead> = Promise<Outcome<AnswerTo<R>>>;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** A desk's clock may be a day wrong, and its event may come a week late. */
const day = 24 * 60 * 60 * 1000;
const latest = Date.UTC(9999, 11, 31);

/** Throws only if a file can't be written. */
export class AuditDesk {
  readonly #calls: Pick<ServiceSession, 'call'>;

  constructor(calls: Pick<ServiceSession, 'call'>) {
    this.#calls = calls;
  }

  async listAuditEvents(
    params: ParamsOf<'listAuditEvents'>,
    signal?: AbortSignal,
  ): Answer<'listAuditEvents'> {
    const { cursor, patient } = params;
    // It may also be an MRN that looks like an audit number.
    if (patient !== undefined && cursor === undefined && recordNumber.test(patient)) {
      const number = patient.toLowerCase();
      const record = await this.#events({ record: number }, signal);
      if (!record.ok || record.value.value.rows.length > 0) return record;
      const print = await this.#print(number, signal);
      if (!print.ok || print.value.value.rows.length > 0) return print;
    }
    return this.#events({ ...buildFilter(params), cursor }, signal);
  }

  #events(query: EventsQuery, signal: AbortSignal | undefined): Answer<'listAuditEvents'> {
    return this.#read(
      (service, options) => listAuditEvents(service, query, options),
      validateAuditEventsPage,
      readPage,
      { signal },
    );
  }

  /** Finds a print by the number on its pages, which begins with its time. */
  async #print(number: string, signal: AbortSignal | undefined): Answer<'listAuditEvents'> {
    const madeAt = timeOfPrint(number);
    // Dates need four-digit years; a random number is far beyond them.
    const [from, to] = [madeAt - day, madeAt + 8 * day].map((at) =>
      new Date(Math.min(at, latest)).toISOString(),
    );
    for (let cursor: string | undefined; ;) {
      const query = { operation: 'recordDeskEvent', from, to, cursor };
      const events = await this.#events(query, signal);
      if (!events.ok) return events;
      const { rows, nextCursor } = events.value.value;
      const found = rows.filter(({ details }) =>
        details.some(({ name, value }) => name === 'number' && value === number),
      );
      cursor = nextCursor;
      if (found.length > 0 || cursor === undefined)
        return done({ ...events.value, value: { rows: found } });
    }
  }

  listBreakGlass(
    params: ParamsOf<'listBreakGlass'>,
    signal?: AbortSignal,
  ): Answer<'listBreakGlass'> {
    return this.#read(
      (service, options) => listBreakGlass(service, params, options),
      validateBreakGlassGrantList,
      readGrants,
      { signal },
    );
  }

  auditLogState(_params: object, signal?: AbortSignal): Answer<'auditLogState'> {
    return this.#read(auditLogState, validateAuditLogState, readLogState, { signal });
  }

  listDisclosures(
    { userId, ...query }: ParamsOf<'listDisclosures'>,
    signal?: AbortSignal,
  ): Answer<'listDisclosures'> {
    return this.#read(
      (service, options) => listDisclosures(service, userId, query, options),
      validateDisclosureList,
      readDisclosures,
      { signal, showsPerson: true },
    );
  }

  async reviewBreakGlass({
    breakGlassId,
    ...review
  }: RequestOf<'reviewBreakGlass'>): Promise<Outcome<object>> {
    const reviewed = await this.#calls.call((service, options) =>
      reviewBreakGlass(service, breakGlassId, withoutNullish(review), options),
    );
    return reviewed.ok ? done({}) : reviewed;
  }

  /** `save` asks for a file and writes it completely or not at all; false if the user cancelled. */
  async exportAuditEvents(
    request: RequestOf<'exportAuditEvents'>,
    save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>,
  ): Promise<Outcome<ResponseOf<'exportAuditEvents'>>> {
    const calls = this.#calls;
    let records = 0;
    let failure: Extract<Outcome<never>, { ok: false }> | undefined;
    async function* parts(): AsyncGenerator<string> {
      for (let cursor: string | undefined; ;) {
        const query = { ...buildFilter(request), format: 'csv' as const, cursor };
        const part = await calls.call((service, options) =>
          exportAuditEvents(service, query, options),
        );
        if (!part.ok) {
          failure = part;
          throw new Error(part.problem.kind);
        }
        const { data, headers } = part.value;
        yield data;
        // The first part has the header.
        records += linesIn(data) - (cursor === undefined ? 1 : 0);
        cursor = headers['x-next-cursor'];
        if (cursor === undefined) return;
      }
    }
    try {
      const saved = await save('audit-events.csv', parts);
      return done({ saved, records: saved ? Math.max(0, records) : 0 });
    } catch (error) {
      if (failure !== undefined) return failure;
      throw error;
    }
  }

  /** Rejects an answer that is invalid in any part, since an incomplete log misleads. */
  async #read<A extends object, T>(
    run: Run<unknown>,
    validate: Validator<A>,
    convert: (answer: A) => T,
    scope: Parameters<ServiceSession['call']>[1],
  ): Promise<Outcome<Received<T>>> {
    const answer = await this.#calls.call(run, scope);
    if (!answer.ok) return answer;
    const verdict = validate(answer.value.data);
    return verdict.ok
      ? done(toReceived(answer.value, convert(verdict.value)))
      : failed('serverBroken');
  }
}

function buildFilter({ patient, actor, from, to }: ParamsOf<'listAuditEvents'>): EventFilter {
  const isOwn = patient !== undefined && uuid.test(patient);
  return {
    ...(isOwn ? { patient: patient.toLowerCase() } : { clientUserId: patient }),
    ...{ actorId: actor, from, to },
  };
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}
