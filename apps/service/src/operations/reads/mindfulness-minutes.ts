import { instantOfQueryDate } from '@caregate/domain';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import type { PagePlace } from '@caregate/data-store';
import type { Cursors, CursorScope } from '../cursors.ts';
import type { Read } from '../read.ts';

export const mindfulnessMinutes: Read<'mindfulnessMinutes'> = {
  scope: 'timeseries:read',
  category: 'timeseries',
  fhir: { form: 'search' },
  about: {
    tag: 'Timeseries',
    summary: 'Get the mindfulness minutes of a user, grouped by provider',
    description:
      'Paginated: while `next_cursor` is not null, pass it as `next_cursor` with the same query to get the next page. A date without a time means 00:00:00 as `start_date` and 23:59:59 as `end_date`, in UTC.',
    problems: [404, 422],
    example: {
      groups: {
        oura: [
          {
            data: [
              {
                start: '2026-11-18T07:00:00-05:00',
                end: '2026-11-18T07:12:00-05:00',
                unit: 'min',
                value: 12,
              },
            ],
            source: { provider: 'oura', type: 'ring' },
          },
        ],
      },
      // oxlint-disable-next-line typescript/no-deprecated -- as it is sent
      next: null,
      next_cursor: null,
    },
  },
  async answer(call) {
    const { cursors, query } = call;
    const scope = {
      teamId: call.teamId,
      userId: call.params.user_id,
      provider: query.provider ?? '',
      ...boundsOf(query.start_date, query.end_date),
    };
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated for callers; here it must be read
    const cursor = oneCursor(query.cursor, query.next_cursor);
    const after = cursor && (await placeOf(cursors, cursor, scope));
    const page = orNotFound(await call.find({ ...scope, limit: cursors.pageSize, after }));
    call.disclose({ patients: [page.userId], recordCount: page.count });
    const next = page.next === undefined ? 'null' : `"${await cursors.seal(page.next, scope)}"`;
    return `{"groups":${page.groups},"next":${next},"next_cursor":${next}${page.rest ?? ''}}`;
  },
};

interface GivenCursor {
  readonly name: string;
  readonly value: string;
}

async function placeOf(
  cursors: Cursors,
  { name, value }: GivenCursor,
  scope: CursorScope,
): Promise<PagePlace> {
  const place = await cursors.open(value, scope);
  if (place === undefined) {
    throw invalidParameters({
      parameter: name,
      reason: 'is not a valid cursor for this query, or no longer; start again without it',
    });
  }
  return place;
}

function boundsOf(
  start: string,
  end: string | null | undefined,
): Pick<CursorScope, 'fromUs' | 'untilUs'> {
  const fromUs = instantOfQueryDate(start, 'start');
  if (end === undefined || end === null) {
    return { fromUs };
  }
  const untilUs = instantOfQueryDate(end, 'end');
  if (untilUs < fromUs) {
    throw invalidParameters({ parameter: 'end_date', reason: 'is before start_date' });
  }
  return { fromUs, untilUs };
}

/** Both names are read; `cursor` is the older one. */
function oneCursor(
  cursor: string | null | undefined,
  nextCursor: string | null | undefined,
): GivenCursor | undefined {
  if (cursor != null && nextCursor != null && cursor !== nextCursor) {
    throw invalidParameters(
      { parameter: 'cursor', reason: 'differs from next_cursor; send one of them' },
      { parameter: 'next_cursor', reason: 'differs from cursor; send one of them' },
    );
  }
  if (nextCursor != null) {
    return { name: 'next_cursor', value: nextCursor };
  }
  return cursor == null ? undefined : { name: 'cursor', value: cursor };
}
