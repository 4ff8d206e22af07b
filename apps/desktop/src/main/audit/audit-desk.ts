import type { TransportResponse } from '@caregate/api-client';
import {
  auditPageSchema,
  disclosuresSchema,
  grantsSchema,
  logStateSchema,
  recordNumber,
} from '../../bridge/audit.ts';
import type { AuditPage, AuditRow, Disclosures } from '../../bridge/audit.ts';
import type { Received, RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { Outcome } from '../../bridge/problem.ts';
import type { Schema } from '../../bridge/schema.ts';
import { disclosuresOf, grantsOf, logStateOf, pageOf } from './read-answer.ts';

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

interface AuditDeskParts {
  /** A request of whoever is at the desk; undefined where nobody is, or where it failed. */
  readonly request: (asked: Asked) => Promise<TransportResponse | undefined>;
  /** Why an answer of 400 or more is none. */
  readonly problemOf: (answer: TransportResponse) => { ok: false; problem: Problem };
  /** Asks where to save, then has it written whole or not at all; false where nobody chose a place. */
  readonly save: (name: string, make: () => AsyncIterable<string>) => Promise<boolean>;
}
type Problem = Extract<Outcome<never>, { ok: false }>['problem'];

const offline = { ok: false, problem: { kind: 'offline' } } as const;
const broken = { ok: false, problem: { kind: 'serverBroken' } } as const;
const cancelled = { ok: false, problem: { kind: 'cancelled' } } as const;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const fileNames = { csv: 'audit-events.csv', fhir: 'audit-events.ndjson' } as const;

/** What an auditor asks of the service. Each call can be cancelled by its name. */
export class AuditDesk {
  readonly #parts: AuditDeskParts;
  readonly #running = new Map<string, AbortController>();

  constructor(parts: AuditDeskParts) {
    this.#parts = parts;
  }

  async events(asked: RequestOf<'auditEvents'>): Promise<Outcome<Received<AuditPage>>> {
    const { call, cursor, patient } = asked;
    // Of an audit number; a clinic may call a patient by one that looks the same.
    if (patient !== undefined && cursor === undefined && recordNumber.test(patient)) {
      const found = await this.#events(call, { record: patient.toLowerCase() });
      if (!found.ok || found.value.value.rows.length > 0) return this.#withPrints(call, found);
    }
    return this.#events(call, { ...filterOf(asked), cursor });
  }

  #events(
    call: string,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<Outcome<Received<AuditPage>>> {
    return this.#read(call, `/audit/events${queryOf(query)}`, pageOf, auditPageSchema);
  }

  /** An answer's number stands on each paper that was made of it: with what desks did with the answer, newest first. */
  async #withPrints(
    call: string,
    found: Outcome<Received<AuditPage>>,
  ): Promise<Outcome<Received<AuditPage>>> {
    const [row] = found.ok ? found.value.value.rows : [];
    const [patient] = row?.patients ?? [];
    if (!found.ok || row === undefined || patient === undefined) return found;
    const made: AuditRow[] = [];
    const query = { operation: 'recordDeskEvent', patient, from: row.occurredAt };
    for (let cursor: string | undefined; ;) {
      const page = await this.#events(call, { ...query, cursor });
      if (!page.ok) return page;
      made.push(...page.value.value.rows.filter(({ details }) => names(details, row.recordId)));
      cursor = page.value.value.nextCursor;
      if (cursor === undefined)
        return { ok: true, value: { ...found.value, value: { rows: [...made, row] } } };
    }
  }

  alarms({ call, cursor }: RequestOf<'auditAlarms'>): Promise<Outcome<Received<AuditPage>>> {
    return this.#read(call, `/audit/alarms${queryOf({ cursor })}`, pageOf, auditPageSchema);
  }

  grants({ call, state, cursor }: RequestOf<'grants'>): Promise<Outcome<ResponseOf<'grants'>>> {
    const path = `/access/break-glass${queryOf({ state, cursor })}`;
    return this.#read(call, path, grantsOf, grantsSchema);
  }

  async logState({ call }: RequestOf<'logState'>): Promise<Outcome<ResponseOf<'logState'>>> {
    const read = await this.#read(call, '/audit/log', logStateOf, logStateSchema);
    return read.ok ? { ok: true, value: read.value.value } : read;
  }

  disclosures(asked: RequestOf<'disclosures'>): Promise<Outcome<Received<Disclosures>>> {
    const { call, userId, startDate, endDate, cursor } = asked;
    const query = queryOf({ start_date: startDate, end_date: endDate, cursor });
    const path = `/audit/patients/${encodeURIComponent(userId)}/disclosures${query}`;
    return this.#read(call, path, disclosuresOf, disclosuresSchema);
  }

  async review(asked: RequestOf<'reviewGrant'>): Promise<Outcome<Record<string, never>>> {
    const { call, breakGlassId, outcome, note } = asked;
    const path = `/access/break-glass/${encodeURIComponent(breakGlassId)}/review`;
    const body = { outcome, ...(note !== undefined && { note }) };
    const answer = await this.#ask(call, { method: 'POST', path, body });
    return answer.ok ? { ok: true, value: {} } : answer;
  }

  /** All that the question finds, in one file. The service records each part that it gives. */
  async export(asked: RequestOf<'exportAudit'>): Promise<Outcome<ResponseOf<'exportAudit'>>> {
    const { call, format } = asked;
    let records = 0;
    let failure: Extract<Outcome<never>, { ok: false }> | undefined;
    return this.#cancellable(call, async (signal) => {
      const request = (cursor: string | undefined): Promise<Outcome<TransportResponse>> => {
        const path = `/audit/export${queryOf({ format, ...filterOf(asked), cursor })}`;
        return this.#answer({ method: 'GET', path, accept: '*/*', signal });
      };
      async function* parts(): AsyncGenerator<string> {
        for (let cursor: string | undefined; ;) {
          const part = signal.aborted ? cancelled : await request(cursor);
          if (!part.ok) {
            failure = part;
            throw new Error(part.problem.kind);
          }
          const { body, headers } = part.value;
          yield body;
          // Of a CSV, the first part has its head.
          records += linesIn(body) - (format === 'csv' && cursor === undefined ? 1 : 0);
          cursor = headers['x-next-cursor'];
          if (cursor === undefined) return;
        }
      }
      try {
        const saved = await this.#parts.save(fileNames[format], parts);
        return { ok: true, value: { saved, records: saved ? Math.max(0, records) : 0 } };
      } catch (error) {
        if (failure !== undefined) return failure;
        throw error;
      }
    });
  }

  cancel(call: string): void {
    this.#running.get(call)?.abort();
  }

  async #read<T>(
    call: string,
    path: string,
    read: (value: unknown) => T,
    schema: Schema<T>,
  ): Promise<Outcome<Received<T>>> {
    const answer = await this.#ask(call, { method: 'GET', path });
    if (!answer.ok) return answer;
    const { headers, body } = answer.value;
    const [requestId, auditId] = [headers['x-request-id'], headers['x-audit-record-id']];
    try {
      // What breaks the interface is no record: half a log on a screen is worse than none.
      const verdict = schema(read(JSON.parse(body)));
      if (!verdict.ok) return broken;
      return {
        ok: true,
        value: {
          value: verdict.value,
          ...(requestId !== undefined && { requestId }),
          ...(auditId !== undefined && { auditId }),
          receivedAt: new Date().toISOString(),
        },
      };
    } catch {
      return broken;
    }
  }

  #ask(call: string, asked: Asked): Promise<Outcome<TransportResponse>> {
    return this.#cancellable(call, (signal) => this.#answer({ ...asked, signal }));
  }

  async #answer(asked: Asked & { signal: AbortSignal }): Promise<Outcome<TransportResponse>> {
    const answer = await this.#parts.request(asked);
    if (asked.signal.aborted) return cancelled;
    if (answer === undefined) return offline;
    return answer.status < 400 ? { ok: true, value: answer } : this.#parts.problemOf(answer);
  }

  async #cancellable<T>(call: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController();
    this.#running.set(call, own);
    try {
      return await run(own.signal);
    } finally {
      if (this.#running.get(call) === own) this.#running.delete(call);
    }
  }
}

/** A patient by the id that was typed or scanned: the service's own, or the clinic's. */
function filterOf(asked: {
  readonly patient?: string | undefined;
  readonly actor?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): Readonly<Record<string, string | undefined>> {
  const { patient, actor, from, to } = asked;
  const isOwn = patient !== undefined && uuid.test(patient);
  return {
    patient: isOwn ? patient.toLowerCase() : undefined,
    client_user_id: isOwn ? undefined : patient,
    actor_id: actor,
    from,
    to,
  };
}

function names(details: AuditRow['details'], recordId: string): boolean {
  return details.some(
    ({ name, value }) => name === 'records' && value.split(' ').includes(recordId),
  );
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}
