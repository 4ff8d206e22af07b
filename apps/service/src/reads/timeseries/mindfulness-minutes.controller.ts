import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import {
  instantOfQueryDate,
  type MindfulnessMinutesParams,
  type MindfulnessMinutesQuery,
} from '@caregate/domain';
import {
  validateMindfulnessMinutesParams,
  validateMindfulnessMinutesQuery,
} from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import {
  HealthDataSource,
  type PagePlace,
  type SourceCall,
} from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { Cursors, type CursorScope } from './cursors.ts';

@Controller()
export class MindfulnessMinutesController {
  readonly #source: HealthDataSource;
  readonly #cursors: Cursors;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(Cursors) cursors: Cursors,
  ) {
    this.#source = source;
    this.#cursors = cursors;
  }

  @Get('v2/timeseries/:user_id/mindfulness_minutes/grouped')
  @Operation('mindfulnessMinutes')
  @Header('content-type', JSON_MEDIA_TYPE)
  async grouped(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateMindfulnessMinutesParams }) params: MindfulnessMinutesParams,
    @Query({ schema: validateMindfulnessMinutesQuery }) query: MindfulnessMinutesQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const scope = {
      teamId,
      userId: params.user_id,
      provider: query.provider ?? '',
      ...boundsOf(query.start_date, query.end_date),
    };
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated for those who ask; here it must be read
    const cursor = oneCursor(query.cursor, query.next_cursor);
    const page = orNotFound(
      await this.#source.mindfulnessMinutes(
        teamId,
        {
          ...scope,
          limit: this.#cursors.pageSize,
          ...(cursor === undefined ? {} : { after: this.#opened(cursor, scope) }),
        },
        call,
      ),
    );
    disclose({ patients: [page.userId], recordCount: page.count });
    const next = page.next === undefined ? 'null' : `"${this.#cursors.seal(page.next, scope)}"`;
    return `{"groups":${page.groups},"next":${next},"next_cursor":${next}${page.rest ?? ''}}`;
  }

  #opened(cursor: { name: string; value: string }, scope: CursorScope): PagePlace {
    const position = this.#cursors.open(cursor.value, scope);
    if (position === undefined) {
      throw invalidParameters({
        parameter: cursor.name,
        reason: 'is not a valid cursor for this query',
      });
    }
    return position;
  }
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
): { name: string; value: string } | undefined {
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
