import type {
  GroupedMindfulnessMinutes,
  MindfulnessMinutesPoint,
  TimeseriesSource,
} from '@caregate/domain';
import { MINDFULNESS_MINUTES } from '@caregate/domain/operations';
import { formatRoute, type CallOptions, type CallParts, type Connection } from './call.ts';
import { throwIfAborted } from './deadline.ts';
import { InvalidArgumentError, InvalidResponseError } from './errors/call-errors.ts';
import type { ApiPromise } from './api-promise.ts';
import { isKind, createShapeCheck } from './shape.ts';

export interface MindfulnessMinutesQuery {
  /** Start of the period: `YYYY-MM-DD` (from 00:00:00 UTC) or an ISO 8601 date-time. */
  readonly startDate: string;
  /** End of the period: `YYYY-MM-DD` (to 23:59:59 UTC) or an ISO 8601 date-time. */
  readonly endDate?: string | undefined;
  /** Slug of the provider; all providers by default. */
  readonly provider?: string | undefined;
  /** `next_cursor` of the previous page, from which iterators resume. Null and undefined request the first page. */
  readonly nextCursor?: string | null | undefined;
}

export interface SourcedPoint {
  /** Slug of the provider, which is a key of `groups`. */
  readonly provider: string;
  readonly source: TimeseriesSource;
  readonly point: MindfulnessMinutesPoint;
}

/** `GET /v2/timeseries/{user_id}/mindfulness_minutes/grouped`. Rejects only with subclasses of HealthDataError. */
export class MindfulnessMinutes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Requests one page, grouped by provider. `next_cursor` is the cursor of the next page.
   *
   * @example
   * const page = await client.timeseries.mindfulnessMinutes.grouped(userId, {
   * startDate: '2025-06-01',
   * endDate: '2025-06-30',
   * });
   * for (const [provider, groups] of Object.entries(page.groups)) console.log(provider, groups.length);
   */
  grouped(
    userId: string,
    query: MindfulnessMinutesQuery,
    options?: CallOptions,
  ): ApiPromise<GroupedMindfulnessMinutes> {
    const buildParts = (): CallParts => ({ ids: { user_id: userId }, query: checkQuery(query) });
    return this.#connection(MINDFULNESS_MINUTES, findPageFault, buildParts, options);
  }

  /**
   * Requests pages on demand. To resume later, keep a page's `next_cursor`. Throws InvalidResponseError if a cursor
   * repeats.
   *
   * @example
   * const { mindfulnessMinutes } = client.timeseries;
   * for await (const page of mindfulnessMinutes.pages(userId, { startDate: '2025-06-01' })) {
   * console.log(page.next_cursor); // resume from here after a failure
   * }
   */
  async *pages(
    userId: string,
    query: MindfulnessMinutesQuery,
    options?: CallOptions,
  ): AsyncGenerator<GroupedMindfulnessMinutes, void, undefined> {
    const seen = new Set<string>();
    let cursor = query.nextCursor ?? undefined;
    for (;;) {
      if (cursor !== undefined) seen.add(cursor);
      const page = await this.grouped(userId, { ...query, nextCursor: cursor }, options);
      cursor = getNextCursor(page);
      if (cursor !== undefined && seen.has(cursor)) {
        const route = formatRoute(MINDFULNESS_MINUTES);
        throw new InvalidResponseError(route, 'response repeats an earlier cursor', 200);
      }
      yield page;
      if (cursor === undefined) return;
    }
  }

  /**
   * Iterates the points of all pages, each with its provider and source.
   *
   * @example
   * const { mindfulnessMinutes } = client.timeseries;
   * for await (const { point } of mindfulnessMinutes.points(userId, { startDate: '2025-06-01' })) {
   * console.log(point.start, point.value);
   * }
   */
  async *points(
    userId: string,
    query: MindfulnessMinutesQuery,
    options?: CallOptions,
  ): AsyncGenerator<SourcedPoint, void, undefined> {
    for await (const page of this.pages(userId, query, options)) {
      for (const [provider, groups] of Object.entries(page.groups)) {
        for (const { data, source } of groups) {
          for (const point of data) {
            throwIfAborted(options?.signal, formatRoute(MINDFULNESS_MINUTES));
            yield { provider, source, point };
          }
        }
      }
    }
  }
}

export class Timeseries {
  readonly mindfulnessMinutes: MindfulnessMinutes;

  constructor(connection: Connection) {
    this.mindfulnessMinutes = new MindfulnessMinutes(connection);
  }
}

function getNextCursor(
  page: Pick<GroupedMindfulnessMinutes, 'next' | 'next_cursor'>,
): string | undefined {
  // oxlint-disable-next-line typescript/no-deprecated -- older upstreams return only `next`
  return (page.next_cursor === undefined ? page.next : page.next_cursor) ?? undefined;
}

const missingArrayFault = 'response has no array in "groups"';
const findGroupFault = /* @__PURE__ */ createShapeCheck({ data: 'array', source: 'object' });
const findObjectFault = /* @__PURE__ */ createShapeCheck({ groups: 'object' });

function findPageFault(body: unknown): string | undefined {
  return findObjectFault(body) ?? findCursorFault(body) ?? findGroupsFault(body);
}

/** An empty cursor would request the first page again. */
function findCursorFault(body: unknown): string | undefined {
  const cursor: unknown = getNextCursor(body as GroupedMindfulnessMinutes);
  const isValid = cursor === undefined || (typeof cursor === 'string' && cursor !== '');
  return isValid ? undefined : 'response has no string "next_cursor"';
}

function findGroupsFault(body: unknown): string | undefined {
  const { groups } = body as { groups: Record<string, unknown> };
  return Object.values(groups)
    .flatMap((list) =>
      isKind(list, 'array') ? (list as unknown[]).map(findGroupFault) : [missingArrayFault],
    )
    .find(Boolean);
}

function checkQuery(query: MindfulnessMinutesQuery): MindfulnessMinutesQuery {
  const { nextCursor, ...others } = query;
  const texts = { ...others, startDate: query.startDate, nextCursor: nextCursor ?? undefined };
  for (const [name, value] of Object.entries(texts) as [string, unknown][]) {
    const isChecked = value !== undefined || name === 'startDate';
    if (isChecked && (typeof value !== 'string' || (value === '' && name !== 'provider'))) {
      const route = formatRoute(MINDFULNESS_MINUTES);
      throw new InvalidArgumentError(name, 'must be a non-empty string', route);
    }
  }
  return query;
}
