import { Inject, Injectable } from '@nestjs/common';
import { AccessStore } from '../auth/access-store.ts';
import type { Limits } from '../config/limits.ts';
import { LIMITS_IN_FORCE } from '../common/tokens.ts';
import type { PointsCursor, PointsQuery } from '@caregate/data-store';

/** The query that a cursor belongs to. The cursor is invalid for any other query. */
export interface CursorScope extends Pick<
  PointsQuery,
  'userId' | 'fromUs' | 'untilUs' | 'provider'
> {
  readonly teamId: string;
}

/** Stateless cursors: the position of the next page, encrypted and authenticated, and bound to team, user and query. */
@Injectable()
export class PointCursors {
  constructor(
    @Inject(AccessStore) private readonly access: Pick<AccessStore, 'cursorSeal'>,
    @Inject(LIMITS_IN_FORCE) private readonly limits: Pick<Limits, 'pageSize'>,
  ) {}

  /** Maximum number of points on a page. */
  get pageSize(): number {
    return this.limits.pageSize;
  }

  async seal(place: PointsCursor, scope: CursorScope): Promise<string> {
    const text =
      'upstreamCursor' in place
        ? [place.upstreamCursor]
        : [place.startUs, place.provider, place.type, place.endUs];
    return await this.access.cursorSeal.seal(JSON.stringify(text), serializeScope(scope));
  }

  async open(cursor: string, scope: CursorScope): Promise<PointsCursor | undefined> {
    const text = await this.access.cursorSeal.open(cursor, serializeScope(scope));
    if (text === undefined) {
      return undefined;
    }
    // The text is authenticated, so it has the form that `seal` wrote.
    const place = JSON.parse(text) as [string] | [number, string, string, number];
    if (place.length === 1) {
      return { upstreamCursor: place[0] };
    }
    const [startUs, provider, type, endUs] = place;
    return { startUs, provider, type, endUs };
  }
}

/** JSON makes the parts unambiguous. The prefix is a version. */
function serializeScope({ teamId, userId, fromUs, untilUs, provider }: CursorScope): string {
  return JSON.stringify([
    'mindfulness_minutes 1',
    teamId.toLowerCase(),
    userId.toLowerCase(),
    fromUs,
    untilUs ?? null,
    provider ?? '',
  ]);
}
