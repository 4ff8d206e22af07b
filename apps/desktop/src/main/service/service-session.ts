import type { ApiResponse } from '@caregate/api-client';
import { READ_OPERATIONS, type OperationName } from '@caregate/domain/operations';
import type { ReadAnswer, ReadParams, Received } from '../../shared/channels.ts';
import type { Outcome } from '../../shared/problem.ts';
import type { Run, ServiceClient } from './service-client.ts';

/** No user reads this many records in a session of twelve hours. */
const maxRecordIds = 50_000;

interface CallScope {
  readonly signal?: AbortSignal | undefined;
  readonly operation?: OperationName;
  /** Whether the answer shows a patient, so that a print or copy may refer to its audit record. */
  readonly showsPerson?: boolean;
}

/** A user's session with one service. After `end`, all calls fail as cancelled. */
export class ServiceSession {
  readonly recordIds = new Set<string>();
  readonly #client: ServiceClient;
  readonly #running = new Map<string, AbortController>();
  readonly #ended = new AbortController();

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** Never throws. Rejects an answer if any part of it is invalid, since incomplete data misleads. */
  async read<O extends OperationName>(
    operation: O,
    params: ReadParams<O>,
    signal?: AbortSignal,
  ): Promise<Outcome<ReadAnswer<O>>> {
    const { ANSWER_VALIDATORS, toCamelCase } = await import('./reads.ts');
    const run = buildRequest(operation, params, toCamelCase);
    const answer = await this.call(run, { signal, operation });
    if (!answer.ok) return answer;
    const { data } = answer.value;
    const received = toReceived(answer.value, data);
    if (!ANSWER_VALIDATORS[operation](data).ok) {
      const { requestId } = received;
      return { ok: false, problem: { kind: 'serverBroken', operation, requestId } };
    }
    if (hasPatients(data)) this.#noteRecord(received.auditId);
    return { ok: true, value: received as ReadAnswer<O> };
  }

  async call<T>(
    run: Run<T>,
    { signal, operation, showsPerson: shows = false }: CallScope = {},
  ): Promise<Outcome<ApiResponse<T>>> {
    const signals = [this.#ended.signal, ...(signal === undefined ? [] : [signal])];
    const answer = await this.#client.call(run, { signal: AbortSignal.any(signals), operation });
    if (answer.ok && shows)
      this.#noteRecord(readShortHeader(answer.value.headers['x-audit-record-id']));
    return answer;
  }

  async checkReadiness(): Promise<boolean | undefined> {
    const isReady = await this.#client.checkReadiness(this.#ended.signal);
    return this.#ended.signal.aborted ? undefined : isReady;
  }

  /** Runs a call that `cancel` can abort by its name. If a name is used twice, it refers to the later call. */
  async runCancellable<T>(name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#running.set(name, controller);
    try {
      return await run(controller.signal);
    } finally {
      if (this.#running.get(name) === controller) this.#running.delete(name);
    }
  }

  cancel(name: string): void {
    this.#running.get(name)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  end(): void {
    this.#ended.abort();
  }

  #noteRecord(recordId: string | undefined): void {
    if (recordId === undefined) return;
    this.recordIds.add(recordId);
    const [oldest] = this.recordIds;
    if (this.recordIds.size > maxRecordIds && oldest !== undefined) this.recordIds.delete(oldest);
  }
}

function buildRequest(
  operation: OperationName,
  params: object,
  toCamelCase: (name: string) => string,
): Run<unknown> {
  const { route } = READ_OPERATIONS[operation];
  const idNames = [...route.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name);
  const all = params as Readonly<Record<string, unknown>>;
  const ids = Object.fromEntries(idNames.map((name) => [name, all[toCamelCase(name)]]));
  const idFields = new Set(idNames.map(toCamelCase));
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => !idFields.has(name)));
  const parts = { ids, ...('method' in route ? { body: others } : { query: others }) };
  // The operation's validator checks the answer.
  return (service, options) =>
    service(
      route,
      () => undefined,
      () => parts,
      options,
    );
}

export function toReceived<T>({ headers }: ApiResponse<unknown>, value: T): Received<T> {
  const requestId = readShortHeader(headers['x-request-id']);
  const auditId = readShortHeader(headers['x-audit-record-id']);
  return {
    value,
    ...(requestId !== undefined && { requestId }),
    ...(auditId !== undefined && { auditId }),
    receivedAt: new Date().toISOString(),
  };
}

function readShortHeader(header: string | undefined): string | undefined {
  return header === undefined || header === '' || header.length > 200 ? undefined : header;
}

function hasPatients(value: unknown): boolean {
  const { users, people, orders } = value as Readonly<Record<string, unknown>>;
  return [users, people, orders].every((list) => !Array.isArray(list) || list.length > 0);
}
