import {
  CircuitBreaker,
  HealthDataApiError,
  HealthDataClient,
  NotFoundError,
  type Transport,
} from '@caregate/api-client';
import { NO_INSURANCE, NO_RESULT, NO_USER_INFO } from '@caregate/domain';
import {
  type SourceCall,
  type SourceName,
  type SourceQuery,
  type SourceResult,
} from '../health-data-source.ts';
import { SourceError } from '../source-error.ts';
import { membersOf, restOf } from '../json/json-members.ts';
import { ask, instantText, type UpstreamReaders } from './ask-upstream.ts';
import { repairOddResults } from './odd-results.ts';
import { orderReaders } from './upstream-orders.ts';
import { wrongAnswer } from './upstream-problem.ts';
import type { UpstreamSettings } from './upstream-settings.ts';
import { validation, type OperationName, type ResponseIssue } from '@caregate/api-client/validate';
import type { ResponseValidation } from '@caregate/api-client';

/** Much larger than any page, small enough for many at once. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Encrypted and in a query it must still fit the header limit. */
const LONGEST_CURSOR = 4096;
/** Few: callers retry as well. */
const RETRIES = { attempts: 3, baseMs: 50, capMs: 500, budgetTokens: 30 };

/** Limits of the connections that are kept open to upstreams. */
export const UPSTREAM_CONNECTIONS = {
  /** Further requests wait within their deadline. */
  maxSockets: 1024,
  /** Fewer than the retry budget, since a restart of the upstream closes all of them. */
  maxFreeSockets: 24,
  /** Extra ones during a busy second. */
  spareMs: 1000,
  /** Upper limit; Node closes idle connections earlier if the upstream announces a shorter time (`Keep-Alive`). */
  idleMs: 30_000,
  /** Most answers do not say whose they are. */
  requireEcho: true,
};

/** Validates responses, passes them on unchanged. Rejects with a {@link SourceError} that reveals nothing of the upstream. */
export class UpstreamSource {
  readonly #readers: UpstreamReaders;
  readonly #breaker = new CircuitBreaker();

  constructor(
    settings: UpstreamSettings,
    { transport, timeoutMs }: { readonly transport: Transport; readonly timeoutMs: number },
  ) {
    const client = new HealthDataClient({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey.reveal(),
      headerName: settings.headerName,
      transport,
      timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
      retries: RETRIES,
      circuitBreaker: this.#breaker,
      validation: upstreamValidation,
    });
    this.#readers = { ...readersOf(client), ...orderReaders(client) };
  }

  /** Rejects with `not-offered` if the interface has no such read: an upstream does not say when something changed. */
  read<Name extends SourceName>(
    operation: Name,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>> {
    const readers: Partial<UpstreamReaders<SourceName>> = this.#readers;
    const reader = readers[operation];
    return reader === undefined
      ? Promise.reject(new SourceError('not-offered'))
      : reader(query, call);
  }

  degraded(): boolean {
    return this.#breaker.state !== 'closed';
  }
}

function readersOf(
  client: HealthDataClient,
): Omit<UpstreamReaders, keyof ReturnType<typeof orderReaders>> {
  return {
    resolveUser: async (clientUserId, call) => {
      if (isNoSegment(clientUserId)) {
        return undefined;
      }
      const answer = await ask(call, (options) => client.users.resolve(clientUserId, options));
      if (answer instanceof NotFoundError) {
        return undefined;
      }
      const { data: user, text } = answer;
      if (user.client_user_id !== clientUserId) {
        throw wrongAnswer();
      }
      return { body: text, userId: user.user_id.toLowerCase() };
    },

    listUsers: async ({ offset, limit }, call) => {
      const answer = await ask(call, (options) => client.users.list({ offset, limit }, options));
      // Every team has a list, so 404 is not valid.
      if (answer instanceof NotFoundError) {
        throw wrongAnswer();
      }
      const { data: page, text } = answer;
      const ids = page.users.map((user) => user.user_id.toLowerCase());
      const teams = new Set(page.users.map((user) => user.team_id.toLowerCase()));
      const isRequested =
        page.offset === offset &&
        page.limit >= 1 &&
        page.limit <= limit &&
        ids.length <= page.limit;
      if (!isRequested || page.total < 0 || new Set(ids).size < ids.length || teams.size > 1) {
        throw wrongAnswer();
      }
      const members = membersOf(text);
      return {
        users: (members.get('users') ?? '[]').slice(1, -1),
        ids,
        total: page.total,
        limit: page.limit,
        rest: restOf(members, ['users', 'total', 'offset', 'limit']),
      };
    },

    latestInsurance: async ({ userId, isPrimary }, call) => {
      // The interface document does not have `is_primary`: it is only sent if needed.
      const query = isPrimary ? {} : { isPrimary };
      const answer = await ask(call, (options) =>
        client.users.latestInsurance(userId, query, options),
      );
      if (answer instanceof NotFoundError) {
        return answer.type === NO_INSURANCE ? 'no-insurance' : 'no-user';
      }
      return { body: answer.text, userId: userId.toLowerCase() };
    },

    // The interface has no user of an order.
    labOrderResult: async (orderId, call) => {
      const answer = await ask(call, (options) => client.orders.result(orderId, options));
      if (!(answer instanceof NotFoundError)) {
        return { body: repairOddResults(answer.text), userId: undefined };
      }
      return answer.type === NO_RESULT
        ? { orderStatus: answer.orderStatus, userId: undefined }
        : undefined;
    },

    mindfulnessMinutes: async ({ userId, fromUs, untilUs, provider, after }, call) => {
      if (after !== undefined && !('upstreamCursor' in after)) {
        throw new SourceError('stale-cursor');
      }
      const query = {
        // Instants: the upstream's cursor must not depend on the caller's notation.
        startDate: instantText(fromUs),
        endDate: untilUs === undefined ? undefined : instantText(untilUs),
        provider: provider === '' ? undefined : provider,
        nextCursor: after?.upstreamCursor,
      };
      const answer = await ask(call, (options) =>
        client.timeseries.mindfulnessMinutes.grouped(userId, query, options),
      ).catch((error: unknown) => {
        throw after !== undefined && isRefusedCursor(error)
          ? new SourceError('stale-cursor')
          : error;
      });
      if (answer instanceof NotFoundError) {
        return undefined;
      }
      const { data: page, text } = answer;
      // oxlint-disable-next-line typescript/no-deprecated -- older upstreams only return this field
      const cursor = (page.next_cursor === undefined ? page.next : page.next_cursor) ?? undefined;
      if (cursor !== undefined && (cursor === query.nextCursor || cursor.length > LONGEST_CURSOR)) {
        throw wrongAnswer();
      }
      const members = membersOf(text);
      return {
        groups: members.get('groups') ?? '{}',
        count: Object.values(page.groups)
          .flat()
          .reduce((points, { data }) => points + data.length, 0),
        next: cursor === undefined ? undefined : { upstreamCursor: cursor },
        userId: userId.toLowerCase(),
        rest: restOf(members, ['groups', 'next', 'next_cursor']),
      };
    },

    userInfo: async (userId, call) => {
      const answer = await ask(call, (options) => client.users.info(userId, options));
      if (answer instanceof NotFoundError) {
        return answer.type === NO_USER_INFO ? 'no-info' : 'no-user';
      }
      return { body: answer.text, userId: userId.toLowerCase() };
    },
  };
}

/** Can't be a path segment. */
function isNoSegment(id: string): boolean {
  return id === '' || id === '.' || id === '..';
}

function isRefusedCursor(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return (
    cause instanceof HealthDataApiError &&
    (cause.status === 400 || cause.status === 422) &&
    cause.errors.some(({ parameter }) => parameter === 'next_cursor' || parameter === 'cursor')
  );
}

const strict = validation('strict');

/**
 * The complete interface with two exceptions: in the public API `metadata.age` is a string, which is accepted and passed on, and odd
 * items of a result are repaired when it is passed on.
 */
const upstreamValidation: ResponseValidation = {
  refusals(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[] {
    if (operation !== 'labOrderResult') {
      return strict.refusals(operation, route, body);
    }
    const repaired: unknown = JSON.parse(repairOddResults(JSON.stringify(aged(body))));
    return strict.refusals(operation, route, repaired);
  },
};

function aged(body: unknown): unknown {
  const { metadata } = (body ?? {}) as { metadata?: { age?: unknown } | null };
  return typeof metadata?.age === 'string'
    ? { ...(body as object), metadata: { ...metadata, age: null } }
    : body;
}
