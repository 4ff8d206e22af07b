import { Controller, Get, Param, Query } from '@nestjs/common';
import type {
  LabOrderResultParams,
  ListOrdersQuery,
  OrderHistoryParams,
  NoQuery,
} from '@caregate/domain';
import {
  validateLabOrderResultParams,
  validateListOrdersQuery,
  validateOrderHistoryParams,
  validateNoQuery,
} from '@caregate/domain/validate';
import { CurrentCaller, Caller } from '../auth/caller.ts';
import { Operation } from '../auth/operation.decorator.ts';
import type { Answer } from '../common/answer.ts';
import { OrdersService } from './orders.service.ts';

@Controller()
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get('v3/order/:order_id/result')
  @Operation('labOrderResult')
  getLabResult(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateLabOrderResultParams }) { order_id }: LabOrderResultParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
  ): Promise<Answer> {
    return this.orders.getLabResult(caller, order_id);
  }

  @Get('v3/orders')
  @Operation('listOrders')
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: validateListOrdersQuery }) query: ListOrdersQuery,
  ): Promise<Answer> {
    return this.orders.list(caller, query);
  }

  @Get('desk/orders/:order_id/history')
  @Operation('orderHistory')
  getOrderHistory(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateOrderHistoryParams }) { order_id }: OrderHistoryParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
  ): Promise<Answer> {
    return this.orders.getOrderHistory(caller, order_id.toLowerCase());
  }
}
