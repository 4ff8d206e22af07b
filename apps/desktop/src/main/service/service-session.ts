import type { ApiPromise, ApiResponse, Authorize, CallOptions } from '@caregate/api-client';
import type { FetchFunction, HealthDataClient } from '@caregate/api-client';
import type { OperationName } from '@caregate/domain/operations';
import { CHANNELS } from '../../bridge/channels.ts';
import type { Received, RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { ServiceClient } from './service-client.ts';
import type { Run } from './service-client.ts';

const READS: {
  readonly [O in OperationName]: (
    client: HealthDataClient,
    request: RequestOf<O>,
    options: CallOptions,
  ) => ApiPromise<ResponseOf<O> extends Received<infer T> ? T : never>;
} = {
  resolveUser: (client, { clientUserId }, options) => client.users.resolve(clientUserId, options),
  listUsers: (client, { offset, limit }, options) => client.users.list({ offset, limit }, options),
  labOrderResult: (client, { orderId }, options) => client.orders.result(orderId, options),
  latestInsurance: (client, { userId, primary }, options) =>
    client.users.latestInsurance(userId, { isPrimary: primary }, options),
  mindfulnessMinutes: (client, { userId, startDate, endDate, provider, nextCursor }, options) =>
    client.timeseries.mindfulnessMinutes.grouped(
      userId,
      { startDate, endDate, provider, nextCursor },
      options,
    ),
  userInfo: (client, { userId }, options) => client.users.info(userId, options),
  searchPeople: (client, { text, limit }, options) => client.people.search(text, limit, options),
  listOrders: (client, { userId, page, size }, options) =>
    client.orders.list({ userId, page, size }, options),
  orderHistory: (client, { orderId }, options) => client.orders.history(orderId, options),
};

/** More than anybody opens in twelve hours. */
const mostRecords = 50_000;

export function keyHeaders(key: string): Authorize {
  return () => ({ 'x-service-api-key': key });
}

interface CallScope {
  readonly signal?: AbortSignal;
  readonly operation?: OperationName;
  /** Whether the answer shows a person: its record may then be named by prints and copies. */
  readonly showsPerson?: boolean;
}

/** One user's session with one service. Keeps what authorises it; once ended, it answers nothing. */
export class ServiceSession {
  readonly address: string;
  readonly recordIds = new Set<string>();
  readonly #client: ServiceClient;
  readonly #running = new Map<string, AbortController>();
  readonly #ended = new AbortController();

  constructor(parts: { address: string; headers: Authorize; fetch: FetchFunction }) {
    this.address = parts.address;
    this.#client = new ServiceClient(parts.address, parts.fetch, parts.headers);
  }

  /** A key that may not list people is valid, too. */
  async check(): Promise<Problem | undefined> {
    const answer = await this.read('listUsers', { call: 'sign-in', offset: 0, limit: 1 });
    return answer.ok || answer.problem.kind === 'forbidden' ? undefined : answer.problem;
  }

  /** Never throws. An invalid answer is rejected whole: half a person on a screen is worse than none. */
  async read<O extends OperationName>(
    operation: O,
    request: RequestOf<O>,
  ): Promise<Outcome<ResponseOf<O>>> {
    const answer = await this.cancellable(request.call, (signal) =>
      this.call(({ client }, options) => READS[operation](client, request, options), {
        signal,
        operation,
      }),
    );
    if (!answer.ok) return answer;
    const { data } = answer.value;
    const received = receivedFrom(answer.value, data);
    const { requestId } = received;
    const verdict = (await CHANNELS[operation].response.load())(received);
    if (!verdict.ok) {
      const of = { operation, ...(requestId !== undefined && { requestId }) };
      return { ok: false, problem: { kind: 'serverBroken', ...of } };
    }
    if (showsPerson(data)) this.#noteRecord(received.auditId);
    return { ok: true, value: verdict.value as ResponseOf<O> };
  }

  async call<T>(
    run: Run<T>,
    { signal, operation, showsPerson: shows = false }: CallScope = {},
  ): Promise<Outcome<ApiResponse<T>>> {
    const signals = [this.#ended.signal, ...(signal === undefined ? [] : [signal])];
    const answer = await this.#client.call(run, { signal: AbortSignal.any(signals), operation });
    if (answer.ok && shows)
      this.#noteRecord(shortHeader(answer.value.headers['x-audit-record-id']));
    return answer;
  }

  /** Undefined once this has ended. */
  async ready(): Promise<boolean | undefined> {
    const isReady = await this.#client.ready(this.#ended.signal);
    return this.#ended.signal.aborted ? undefined : isReady;
  }

  /** Runs a call that `cancel` aborts by its name; for a name used twice, the later one. */
  async cancellable<T>(name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController();
    this.#running.set(name, own);
    try {
      return await run(own.signal);
    } finally {
      if (this.#running.get(name) === own) this.#running.delete(name);
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
    if (this.recordIds.size > mostRecords && oldest !== undefined) this.recordIds.delete(oldest);
  }
}

/** The answer as the page gets it. */
export function receivedFrom<T>({ headers }: ApiResponse<unknown>, value: T): Received<T> {
  const requestId = shortHeader(headers['x-request-id']);
  const auditId = shortHeader(headers['x-audit-record-id']);
  return {
    value,
    ...(requestId !== undefined && { requestId }),
    ...(auditId !== undefined && { auditId }),
    receivedAt: new Date().toISOString(),
  };
}

function shortHeader(header: string | undefined): string | undefined {
  return header === undefined || header === '' || header.length > 200 ? undefined : header;
}

/** False for empty lists. */
function showsPerson(value: unknown): boolean {
  const { users, people, orders } = value as Readonly<Record<string, unknown>>;
  return [users, people, orders].every((list) => !Array.isArray(list) || list.length > 0);
}
