import { Controller, Get, Param, Query } from '@nestjs/common';
import type { MindfulnessMinutesParams, MindfulnessMinutesQuery } from '@caregate/domain';
import {
  validateMindfulnessMinutesParams,
  validateMindfulnessMinutesQuery,
} from '@caregate/domain/validate';
import { CurrentCaller, Caller } from '../auth/caller.ts';
import { Operation } from '../auth/operation.decorator.ts';
import type { Answer } from '../common/answer.ts';
import { TimeseriesService } from './timeseries.service.ts';

@Controller('v2/timeseries/:user_id')
export class TimeseriesController {
  constructor(private readonly timeseries: TimeseriesService) {}

  @Get('mindfulness_minutes/grouped')
  @Operation('mindfulnessMinutes')
  getMindfulnessMinutes(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateMindfulnessMinutesParams }) { user_id }: MindfulnessMinutesParams,
    @Query({ schema: validateMindfulnessMinutesQuery }) query: MindfulnessMinutesQuery,
  ): Promise<Answer> {
    return this.timeseries.getMindfulnessMinutes(caller, user_id, query);
  }
}
