import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import type { NoQuery, OrderHistoryParams } from '@caregate/domain';
import { validateNoQuery, validateOrderHistoryParams } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { orNotFound } from '../../problem/problem-error.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { historyOf } from './biomarker-history.ts';

@Controller()
export class OrderHistoryController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('desk/orders/:order_id/history')
  @Operation('orderHistory')
  @Header('content-type', JSON_MEDIA_TYPE)
  async history(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateOrderHistoryParams }) { order_id }: OrderHistoryParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const orderId = order_id.toLowerCase();
    const stored = orNotFound(await this.#source.orderHistory(teamId, orderId, call));
    const history = historyOf(orderId, stored);
    const earlier = history.biomarkers.flatMap((each) => each.earlier.map((one) => one.order_id));
    const orderIds = [...new Set([orderId, ...earlier])];
    disclose({
      patients: [stored.userId],
      recordCount: orderIds.length,
      details: { order_ids: orderIds.join(' ') },
    });
    return JSON.stringify(history);
  }
}
