import { FetchTransport, HealthDataClient } from '@caregate/api-client';
import type {
  CallOptions,
  FetchFunction,
  Transport,
  TransportResponse,
} from '@caregate/api-client';
import type { ReadChannel } from '../../bridge/api.ts';
import type { Received } from '../../bridge/channels.ts';
import { CHANNELS } from '../../bridge/channels.ts';
import type { ChannelName, RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { OperationName } from '@caregate/domain/operations';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { AccessClient } from './access-client.ts';
import type { AccessRequest } from './access-client.ts';
import { recordingIds } from './response-ids.ts';
import type { ResponseIds } from './response-ids.ts';
import { toProblem } from './service-problem.ts';
import { systemFetch } from './system-fetch.ts';

interface Read<C extends ChannelName> {
  readonly operation: OperationName;
  run(
    client: HealthDataClient,
    request: RequestOf<C>,
    options: CallOptions,
  ): Promise<ResponseOf<C> extends Received<infer T> ? T : never>;
}

const READS: { readonly [C in ReadChannel]: Read<C> } = {
  resolveUser: {
    operation: 'resolveUser',
    run: (client, { clientUserId }, options) => client.users.resolve(clientUserId, options),
  },
  listUsers: {
    operation: 'listUsers',
    run: (client, { offset, limit }, options) => client.users.list({ offset, limit }, options),
  },
  labResult: {
    operation: 'labOrderResult',
    run: (client, { orderId }, options) => client.orders.result(orderId, options),
  },
  insurance: {
    operation: 'latestInsurance',
    run: (client, { userId, primary }, options) =>
      client.users.latestInsurance(userId, { isPrimary: primary }, options),
  },
  mindfulnessPage: {
    operation: 'mindfulnessMinutes',
    run: (client, { userId, startDate, endDate, provider, nextCursor }, options) =>
      client.timeseries.mindfulnessMinutes.grouped(
        userId,
        { startDate, endDate, provider, nextCursor },
        options,
      ),
  },
  userInfo: {
    operation: 'userInfo',
    run: (client, { userId }, options) => client.users.info(userId, options),
  },
  searchPeople: {
    operation: 'searchPeople',
    run: (client, { text, limit }, options) => client.people.search(text, limit, options),
  },
  listOrders: {
    operation: 'listOrders',
    run: (client, { userId, page, size }, options) =>
      client.orders.list({ userId, page, size }, options),
  },
  orderHistory: {
    operation: 'orderHistory',
    run: (client, { orderId }, options) => client.orders.history(orderId, options),
  },
};

/** Timeout of the readiness request. */
const readyTimeoutMs = 10_000;

/** More than anybody shows in the twelve hours of a sign-in. */
const mostRecords = 50_000;

interface ServiceSessionParts {
  /** As `serviceAddress` gives it. */
  readonly address: string;
  /** Of one request, by its method and whole address. */
  readonly headers: (method: string, url: string) => Readonly<Record<string, string>>;
  readonly fetch: FetchFunction;
  readonly timeoutMs?: number;
}

/** The header of a staff key. */
export function keyHeaders(key: string): ServiceSessionParts['headers'] {
  return () => ({ 'x-service-api-key': key });
}

/** One user's session with one service. What authorises it stays in here. Once ended, it answers nothing any more. */
export class ServiceSession {
  readonly address: string;
  /** Of the answers that showed a person. */
  readonly recordIds = new Set<string>();
  readonly #headers: ServiceSessionParts['headers'];
  readonly #access: AccessClient;
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #running = new Map<string, AbortController>();
  readonly #ended = new AbortController();

  constructor({ address, headers, fetch, timeoutMs = 30_000 }: ServiceSessionParts) {
    this.address = address;
    this.#headers = headers;
    this.#access = new AccessClient(address, fetch);
    this.#transport = new FetchTransport(systemFetch(fetch));
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the service accepts the key. A key that may not list people is valid all the same. */
  async check(): Promise<Problem | undefined> {
    const answer = await this.read('listUsers', { call: 'sign-in', offset: 0, limit: 1 });
    return answer.ok || answer.problem.kind === 'forbidden' ? undefined : answer.problem;
  }

  /** Calls the service. Never throws. */
  async read<C extends ReadChannel>(
    channel: C,
    request: RequestOf<C>,
  ): Promise<Outcome<ResponseOf<C>>> {
    const read = READS[channel] as Read<C>;
    const { operation } = read;
    const own = new AbortController();
    // The page names its calls; a name used twice cancels the later one only.
    this.#running.set(request.call, own);
    const ids: ResponseIds = {};
    try {
      const value = await read.run(this.#client(ids), request, {
        signal: AbortSignal.any([own.signal, this.#ended.signal]),
      });
      const answer = { value, ...ids, receivedAt: new Date().toISOString() };
      const checked = await this.#checked(channel, answer, operation, ids);
      if (checked.ok && showsPerson(value)) this.#note(ids.auditId);
      return checked;
    } catch (error) {
      const problem = toProblem(error, operation);
      return {
        ok: false,
        problem: {
          ...problem,
          ...(ids.requestId !== undefined && { requestId: ids.requestId }),
        },
      };
    } finally {
      if (this.#running.get(request.call) === own) this.#running.delete(request.call);
    }
  }

  /** An answer that isn't one of the reads; undefined where there was none. Never throws. */
  async request(request: Omit<AccessRequest, 'headers'>): Promise<TransportResponse | undefined> {
    const signals = [this.#ended.signal, ...(request.signal === undefined ? [] : [request.signal])];
    try {
      const answer = await this.#access.send({
        ...request,
        headers: this.#headers,
        signal: AbortSignal.any(signals),
      });
      const isDisclosures = /^\/audit\/patients\/[^/]+\/disclosures(?:\?|$)/u.test(request.path);
      if (isDisclosures && answer.status === 200) this.#note(answer.headers['x-audit-record-id']);
      return answer;
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the service can answer now; undefined once this has ended. Asked without the key: it is about nobody, and
   * leaves no audit record. Never throws.
   */
  async ready(): Promise<boolean | undefined> {
    try {
      const { status } = await this.#transport.request({
        method: 'GET',
        url: `${this.address}/readyz`,
        headers: { accept: '*/*' },
        signal: AbortSignal.any([this.#ended.signal, AbortSignal.timeout(readyTimeoutMs)]),
        maxBodyBytes: 64 * 1024,
      });
      // 404 comes from a service, or a gateway, without this route: it answers.
      return status < 500;
    } catch {
      return this.#ended.signal.aborted ? undefined : false;
    }
  }

  cancel(call: string): void {
    this.#running.get(call)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  end(): void {
    this.#ended.abort();
  }

  #note(recordId: string | undefined): void {
    if (recordId === undefined) return;
    this.recordIds.add(recordId);
    const [oldest] = this.recordIds;
    if (this.recordIds.size > mostRecords && oldest !== undefined) this.recordIds.delete(oldest);
  }

  /** An answer that violates the interface is rejected as a whole: half a person on a screen is worse than none. */
  async #checked<C extends ReadChannel>(
    channel: C,
    answer: unknown,
    operation: OperationName,
    ids: ResponseIds,
  ): Promise<Outcome<ResponseOf<C>>> {
    const schema = await CHANNELS[channel].response.load();
    const verdict = schema(answer);
    return verdict.ok
      ? { ok: true, value: verdict.value as ResponseOf<C> }
      : {
          ok: false,
          problem: {
            kind: 'serverBroken',
            operation,
            ...(ids.requestId !== undefined && { requestId: ids.requestId }),
          },
        };
  }

  /** One client per call: it costs nothing, and each then has the ids of its own answer. */
  #client(ids: ResponseIds): HealthDataClient {
    return new HealthDataClient({
      baseUrl: this.address,
      authorize: ({ method, url }) => this.#headers(method, url),
      transport: recordingIds(this.#transport, ids),
      timeoutMs: this.#timeoutMs,
      // Someone waits at the desk: the cause is shown at once, and tried again when they ask.
      retries: false,
    });
  }
}

/** Not so a list without anybody. */
function showsPerson(value: unknown): boolean {
  const { users, people, orders } = value as {
    readonly users?: unknown;
    readonly people?: unknown;
    readonly orders?: unknown;
  };
  return [users, people, orders].every((list) => !Array.isArray(list) || list.length > 0);
}
