import { Injectable } from '@nestjs/common';
import { toQueryInstant, type MindfulnessMinutesQuery } from '@caregate/domain';
import type { Caller } from '../auth/caller.ts';
import { Answer } from '../common/answer.ts';
import { createInvalidParameterError, requireFound } from '../problem/problem-error.ts';
import { HealthDataSource, type PointsCursor } from '@caregate/data-store';
import { PointCursors, type CursorScope } from './point-cursors.ts';

@Injectable()
export class TimeseriesService {
  constructor(
    private readonly data: HealthDataSource,
    private readonly cursors: PointCursors,
  ) {}

  /** @throws ProblemError 404 for an unknown user, 422 for a cursor of another query */
  async getMindfulnessMinutes(
    caller: Caller,
    userId: string,
    query: MindfulnessMinutesQuery,
  ): Promise<Answer> {
    const { teamId } = caller;
    const { start_date: start, end_date: end, provider } = query;
    const scope = { teamId, userId, provider: provider ?? '', ...toTimeRange(start, end) };
    const points = {
      ...scope,
      limit: this.cursors.pageSize,
      after: await this.#readPlace(query, scope),
    };
    const page = requireFound(await this.data.getTimeseries(teamId, points, caller));
    const next =
      page.next === undefined ? 'null' : `"${await this.cursors.seal(page.next, scope)}"`;
    return new Answer(
      `{"groups":${page.groups},"next":${next},"next_cursor":${next}${page.rest ?? ''}}`,
      { patients: [page.userId], recordCount: page.count },
    );
  }

  /** Returns the start of the page; undefined for the first page. */
  async #readPlace(
    query: MindfulnessMinutesQuery,
    scope: CursorScope,
  ): Promise<PointsCursor | undefined> {
    const cursor = readCursor(query);
    if (cursor === undefined) {
      return undefined;
    }
    const place = await this.cursors.open(cursor.value, scope);
    if (place === undefined) {
      throw createInvalidParameterError({
        parameter: cursor.name,
        reason: 'is not a valid cursor for this query, or no longer; start again without it',
      });
    }
    return place;
  }
}

function toTimeRange(
  start: string,
  end: string | null | undefined,
): Pick<CursorScope, 'fromUs' | 'untilUs'> {
  const fromUs = toQueryInstant(start, 'start');
  if (end === undefined || end === null) {
    return { fromUs };
  }
  const untilUs = toQueryInstant(end, 'end');
  if (untilUs < fromUs) {
    throw createInvalidParameterError({ parameter: 'end_date', reason: 'is before start_date' });
  }
  return { fromUs, untilUs };
}

/** Reads the cursor from `next_cursor`, or from the older parameter `cursor`. */
function readCursor(
  query: MindfulnessMinutesQuery,
): { readonly name: string; readonly value: string } | undefined {
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated for callers; here it must be read
  const { cursor, next_cursor: nextCursor } = query;
  if (cursor != null && nextCursor != null && cursor !== nextCursor) {
    throw createInvalidParameterError(
      { parameter: 'cursor', reason: 'differs from next_cursor; send one of them' },
      { parameter: 'next_cursor', reason: 'differs from cursor; send one of them' },
    );
  }
  if (nextCursor != null) {
    return { name: 'next_cursor', value: nextCursor };
  }
  return cursor == null ? undefined : { name: 'cursor', value: cursor };
}
