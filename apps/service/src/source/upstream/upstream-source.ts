import {
  CircuitBreaker,
  HealthDataApiError,
  HealthDataClient,
  NotFoundError,
  type CallOptions,
  type PendingAnswer,
  type Transport,
} from '@caregate/api-client';
import { NO_INSURANCE } from '@caregate/domain';
import {
  foreignPlace,
  type HealthDataSource,
  type PointsPage,
  type PointsQuery,
  type SourceCall,
  type Stored,
  type StoredResult,
  type UpstreamPlace,
  type UsersPage,
} from '../health-data-source.ts';
import { membersOf, restOf } from '../json/json-members.ts';
import { assertNoDuplicateMember } from './duplicate-in-answer.ts';
import { UpstreamGate } from './upstream-gate.ts';
import { upstreamProblem, wrongAnswer } from './upstream-problem.ts';
import type { UpstreamSettings } from './upstreams-file.ts';
import { validation, type OperationName, type ResponseIssue } from '@caregate/api-client/validate';
import type { ResponseValidation } from '@caregate/api-client';

/** Far more than a page of anything, and less than would hurt many times over. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Sealed and in a query it must still fit the headers of a request. */
const LONGEST_CURSOR = 4096;
/** Callers try again as well: two more requests at most, out of a budget that an outage uses up. */
const RETRIES = { attempts: 3, baseMs: 50, capMs: 500, budgetTokens: 30 };

/**
 * One team's data, read from a service with the same interface. Answers are held against the interface and against what
 * was asked, and handed on as they were written. Rejects with a {@link ProblemError} of 502, 503 or 504 that tells
 * nothing of the upstream.
 */
export class UpstreamSource implements HealthDataSource {
  readonly #client: HealthDataClient;
  /** Of this team alone: what one team's requests do to its upstream, others must not pay for. */
  readonly #breaker = new CircuitBreaker();

  constructor(
    settings: UpstreamSettings,
    parts: { readonly transport: Transport; readonly timeoutMs: number },
  ) {
    this.#client = new HealthDataClient({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey.reveal(),
      headerName: settings.headerName,
      transport: new UpstreamGate(parts.transport, settings.baseUrl, parts.timeoutMs),
      timeoutMs: parts.timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
      retries: RETRIES,
      circuitBreaker: this.#breaker,
      validation: upstreamValidation,
    });
  }

  async resolveUser(
    _teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<Stored | undefined> {
    if (isNoSegment(clientUserId)) {
      return undefined;
    }
    const answer = await ask(call, (options) => this.#client.users.resolve(clientUserId, options));
    if (answer instanceof NotFoundError) {
      return undefined;
    }
    const { data: user, text } = answer;
    if (user.client_user_id !== clientUserId) {
      throw wrongAnswer();
    }
    return { body: text, userId: user.user_id.toLowerCase() };
  }

  async listUsers(
    _teamId: string,
    { offset, limit }: { offset: number; limit: number },
    call?: SourceCall,
  ): Promise<UsersPage> {
    const answer = await ask(call, (options) =>
      this.#client.users.list({ offset, limit }, options),
    );
    // Every team has a list.
    if (answer instanceof NotFoundError) {
      throw wrongAnswer();
    }
    const { data: page, text } = answer;
    const ids = page.users.map((user) => user.user_id.toLowerCase());
    const teams = new Set(page.users.map((user) => user.team_id.toLowerCase()));
    const isWhatWasAsked =
      page.offset === offset && page.limit >= 1 && page.limit <= limit && ids.length <= page.limit;
    if (!isWhatWasAsked || page.total < 0 || new Set(ids).size < ids.length || teams.size > 1) {
      throw wrongAnswer();
    }
    const members = membersOf(text);
    return {
      users: members.get('users') ?? '[]',
      ids,
      total: page.total,
      limit: page.limit,
      rest: restOf(members, ['users', 'total', 'offset', 'limit']),
    };
  }

  async latestInsurance(
    _teamId: string,
    userId: string,
    isPrimary: boolean,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-insurance'> {
    // The interface document knows no `is_primary`: it is sent where it makes a difference.
    const query = isPrimary ? {} : { isPrimary };
    const answer = await ask(call, (options) =>
      this.#client.users.latestInsurance(userId, query, options),
    );
    if (answer instanceof NotFoundError) {
      return answer.type === NO_INSURANCE ? 'no-insurance' : 'no-user';
    }
    return { body: answer.text, userId: userId.toLowerCase() };
  }

  /** The interface does not tell whom an order is for. */
  async labOrderResult(
    _teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | undefined> {
    const answer = await ask(call, (options) => this.#client.orders.result(orderId, options));
    return answer instanceof NotFoundError ? undefined : { body: answer.text, userId: undefined };
  }

  async mindfulnessMinutes(
    _teamId: string,
    { userId, fromUs, untilUs, provider, after }: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage<UpstreamPlace> | undefined> {
    if (after !== undefined && !('upstreamCursor' in after)) {
      throw foreignPlace();
    }
    const query = {
      // As instants, so that the upstream's cursor fits however the caller writes the same moment.
      startDate: instantText(fromUs),
      endDate: untilUs === undefined ? undefined : instantText(untilUs),
      provider: provider === '' ? undefined : provider,
      nextCursor: after?.upstreamCursor,
    };
    const answer = await ask(call, (options) =>
      this.#client.timeseries.mindfulnessMinutes.grouped(userId, query, options),
    ).catch((error: unknown) => {
      throw after !== undefined && isRefusedCursor(error) ? foreignPlace() : error;
    });
    if (answer instanceof NotFoundError) {
      return undefined;
    }
    const { data: page, text } = answer;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- upstreams of an earlier day answer it alone
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
  }

  /** An upstream that is down leaves the service able to answer. */
  async ready(): Promise<void> {
    await Promise.resolve();
  }

  degraded(): boolean {
    return this.#breaker.state !== 'closed';
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

/** The answer, or the upstream's word that there is no such thing. */
async function ask<T>(
  call: SourceCall | undefined,
  send: (options: CallOptions) => PendingAnswer<T>,
): Promise<Awaited<ReturnType<PendingAnswer<T>['withResponse']>> | NotFoundError> {
  const options =
    call === undefined ? {} : { signal: call.signal, headers: { 'x-request-id': call.requestId } };
  const answer = await send(options)
    .withResponse()
    .catch((error: unknown) => {
      if (error instanceof NotFoundError && saysWhy(error)) {
        return error;
      }
      throw upstreamProblem(error);
    });
  if (!(answer instanceof NotFoundError)) {
    assertNoDuplicateMember(answer.text, answer.data);
  }
  return answer;
}

/** A 404 without a word in JSON comes from something in between, or of a wrong address: it tells nothing of the data. */
function saysWhy(error: NotFoundError): boolean {
  return error.detail !== undefined || error.type !== undefined || error.errors.length > 0;
}

/** Ids that are no segment of a path; the service's own rule has them not found. */
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

/** Microseconds since 1970 as a date-time in UTC, with a fraction only where there is one. */
function instantText(us: number): string {
  const seconds = Math.floor(us / 1e6);
  const fraction = us - seconds * 1e6;
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(6, '0')}Z`;
}

const strict = validation('strict');

/**
 * Holds answers against the whole interface, by the compiled validators, but for one place: the public API that the
 * interface comes from writes `metadata.age` as a string. It is accepted and passed on as it came.
 */
const upstreamValidation: ResponseValidation = {
  refusals(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[] {
    return strict.refusals(operation, route, operation === 'labOrderResult' ? aged(body) : body);
  },
};

/** The same result, an age in words left out. */
function aged(body: unknown): unknown {
  const { metadata } = body as { metadata?: { age?: unknown } | null };
  return typeof metadata?.age === 'string'
    ? { ...(body as object), metadata: { ...metadata, age: null } }
    : body;
}
