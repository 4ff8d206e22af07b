import {
  CircuitBreaker,
  HealthDataApiError,
  HealthDataClient,
  NotFoundError,
  type ResponseValidation,
  type Transport,
} from '@caregate/api-client';
import { validation } from '@caregate/api-client/validate';
import { NO_INSURANCE, NO_RESULT, NO_USER_INFO } from '@caregate/domain';
import { HealthDataSource, type SourceCall } from '../health-data-source.ts';
import type {
  InsuranceQuery,
  NoResult,
  OrdersPage,
  OrdersQuery,
  PeopleResult,
  PeopleSearchQuery,
  PointsPage,
  PointsQuery,
  StoredRecord,
  StoredHistory,
  StoredResult,
  UsersPage,
  UsersQuery,
} from '../health-data.ts';
import { readMembers, formatOtherMembers } from '../json/json-members.ts';
import { SourceError } from '../source-error.ts';
import { callUpstream, formatInstant, createMismatchError } from './ask-upstream.ts';
import { repairOddResults } from './odd-results.ts';
import { readHistory, readOrders, searchOrders } from './upstream-orders.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Maximum size of a response: much larger than any page, and small enough for many at once. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum length of an upstream's cursor. Encrypted and in a URL, it must fit into the header limit. */
const LONGEST_CURSOR = 4096;

/**
 * One team's data, read from another service with the same interface. Responses are validated once and forwarded
 * unchanged.
 */
export class UpstreamSource extends HealthDataSource {
  readonly #client: HealthDataClient;
  readonly #circuitBreaker = new CircuitBreaker();

  constructor(settings: UpstreamSettings, transport: Transport, timeoutMs: number) {
    super();
    this.#client = new HealthDataClient({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey.reveal(),
      headerName: settings.headerName,
      transport,
      timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
      retries: RETRIES,
      circuitBreaker: this.#circuitBreaker,
      validation: upstreamValidation,
    });
  }

  async findUserByClientId(
    _teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<StoredRecord | undefined> {
    // These can't be a segment of a path.
    if (['', '.', '..'].includes(clientUserId)) {
      return undefined;
    }
    const answer = await callUpstream(call, (options) =>
      this.#client.users.resolve(clientUserId, options),
    );
    if (answer instanceof NotFoundError) {
      return undefined;
    }
    const { data: user, text } = answer;
    if (user.client_user_id !== clientUserId) {
      throw createMismatchError();
    }
    return { body: text, userId: user.user_id.toLowerCase() };
  }

  async listUsers(
    _teamId: string,
    { offset, limit }: UsersQuery,
    call?: SourceCall,
  ): Promise<UsersPage> {
    const answer = await callUpstream(call, (options) =>
      this.#client.users.list({ offset, limit }, options),
    );
    // Every team has a list, so a 404 is not valid.
    if (answer instanceof NotFoundError) {
      throw createMismatchError();
    }
    const { data: page, text } = answer;
    const ids = page.users.map((user) => user.user_id.toLowerCase());
    const teams = new Set(page.users.map((user) => user.team_id.toLowerCase()));
    const isRequested =
      page.offset === offset && page.limit >= 1 && page.limit <= limit && ids.length <= page.limit;
    if (!isRequested || page.total < 0 || new Set(ids).size < ids.length || teams.size > 1) {
      throw createMismatchError();
    }
    return { body: text, ids, total: page.total };
  }

  async getUserInfo(
    _teamId: string,
    userId: string,
    call?: SourceCall,
  ): Promise<StoredRecord | 'no-user' | 'no-info'> {
    const answer = await callUpstream(call, (options) => this.#client.users.info(userId, options));
    if (answer instanceof NotFoundError) {
      return answer.type === NO_USER_INFO ? 'no-info' : 'no-user';
    }
    return { body: answer.text, userId: userId.toLowerCase() };
  }

  async getLatestInsurance(
    _teamId: string,
    { userId, isPrimary }: InsuranceQuery,
    call?: SourceCall,
  ): Promise<StoredRecord | 'no-user' | 'no-insurance'> {
    // Sent only if needed, since the interface document doesn't have `is_primary`.
    const query = isPrimary ? {} : { isPrimary };
    const answer = await callUpstream(call, (options) =>
      this.#client.users.latestInsurance(userId, query, options),
    );
    if (answer instanceof NotFoundError) {
      return answer.type === NO_INSURANCE ? 'no-insurance' : 'no-user';
    }
    return { body: answer.text, userId: userId.toLowerCase() };
  }

  /** Returns the result without its user, which the interface document's response doesn't contain. */
  async getLabResult(
    _teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | NoResult | undefined> {
    const answer = await callUpstream(call, (options) =>
      this.#client.orders.result(orderId, options),
    );
    if (!(answer instanceof NotFoundError)) {
      return { body: repairOddResults(answer.text), userId: undefined };
    }
    return answer.type === NO_RESULT
      ? { orderStatus: answer.orderStatus, userId: undefined }
      : undefined;
  }

  async getTimeseries(
    _teamId: string,
    { userId, fromUs, untilUs, provider, after }: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined> {
    if (after !== undefined && !('upstreamCursor' in after)) {
      throw new SourceError('stale-cursor');
    }
    const query = {
      // Converted to UTC instants, since the upstream's cursor must not depend on the caller's notation.
      startDate: formatInstant(fromUs),
      endDate: untilUs === undefined ? undefined : formatInstant(untilUs),
      provider: provider === '' ? undefined : provider,
      nextCursor: after?.upstreamCursor,
    };
    const answer = await callUpstream(call, (options) =>
      this.#client.timeseries.mindfulnessMinutes.grouped(userId, query, options),
    ).catch((error: unknown) => {
      throw after !== undefined && isCursorRefused(error) ? new SourceError('stale-cursor') : error;
    });
    if (answer instanceof NotFoundError) {
      return undefined;
    }
    const { data: page, text } = answer;
    // oxlint-disable-next-line typescript/no-deprecated -- older upstreams only return this field
    const cursor = (page.next_cursor === undefined ? page.next : page.next_cursor) ?? undefined;
    if (cursor !== undefined && (cursor === query.nextCursor || cursor.length > LONGEST_CURSOR)) {
      throw createMismatchError();
    }
    const members = readMembers(text);
    return {
      groups: members.get('groups') ?? '{}',
      count: Object.values(page.groups)
        .flat()
        .reduce((points, { data }) => points + data.length, 0),
      next: cursor === undefined ? undefined : { upstreamCursor: cursor },
      userId: userId.toLowerCase(),
      rest: formatOtherMembers(members, ['groups', 'next', 'next_cursor']),
    };
  }

  listOrders(_teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage> {
    return readOrders(this.#client, query, call);
  }

  getOrderHistory(
    _teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredHistory | undefined> {
    return readHistory(this.#client, orderId, call);
  }

  searchPeople(
    _teamId: string,
    query: PeopleSearchQuery,
    call?: SourceCall,
  ): Promise<PeopleResult> {
    return searchOrders(this.#client, query, call);
  }

  /** An upstream doesn't say when its records changed. */
  getRecords(): never {
    throw new SourceError('not-offered');
  }

  getImports(): Promise<never> {
    return Promise.reject(new SourceError('not-offered'));
  }

  /** The service stays ready while an upstream is down. */
  checkReady(): Promise<void> {
    return Promise.resolve();
  }

  isDegraded(): boolean {
    return this.#circuitBreaker.state !== 'closed';
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function isCursorRefused(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return (
    cause instanceof HealthDataApiError &&
    (cause.status === 400 || cause.status === 422) &&
    cause.errors.some(({ parameter }) => parameter === 'next_cursor' || parameter === 'cursor')
  );
}

/**
 * Retries to bridge a restart of the upstream, which takes a few seconds. The budget limits them in a longer outage.
 */
const RETRIES = { attempts: 8, baseMs: 100, capMs: 2000, budgetTokens: 100 };

const strict = validation('strict');

/**
 * Validates against the complete interface, with two exceptions in lab results: `metadata.age` may be a string, as in
 * the public API, and invalid items are accepted here and repaired later.
 */
const upstreamValidation: ResponseValidation = {
  findIssues: (operation, route, body) => {
    if (operation !== 'labOrderResult') {
      return strict.findIssues(operation, route, body);
    }
    const report = withoutTextAge(body);
    const refusals = strict.findIssues(operation, route, report);
    return refusals.length === 0
      ? refusals
      : strict.findIssues(operation, route, JSON.parse(repairOddResults(JSON.stringify(report))));
  },
};

function withoutTextAge(body: unknown): unknown {
  const { metadata } = (body ?? {}) as { metadata?: { age?: unknown } | null };
  return typeof metadata?.age === 'string'
    ? { ...(body as object), metadata: { ...metadata, age: null } }
    : body;
}
