import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import { instantOfQueryDate, isUuid, type ListOrdersQuery, type Order } from '@caregate/domain';
import { validateListOrdersQuery } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { Permissions } from '../../operations/permission-table.ts';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import {
  HealthDataSource,
  type OrdersQuery,
  type SourceCall,
} from '../../source/health-data-source.ts';
import { CurrentCall } from '../current-call.decorator.ts';

const DEFAULT_SIZE = 50;

@Controller()
export class ListOrdersController {
  readonly #source: HealthDataSource;
  readonly #permissions: Permissions;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(Permissions) permissions: Permissions,
  ) {
    this.#source = source;
    this.#permissions = permissions;
  }

  @Get('v3/orders')
  @Operation('listOrders')
  @Header('content-type', JSON_MEDIA_TYPE)
  async list(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Query({ schema: validateListOrdersQuery }) query: ListOrdersQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const seesResults = this.#permissions.allow(principal, 'labOrderResult');
    // A filter would tell what the answer keeps.
    if (!seesResults && query.interpretation !== undefined) {
      const detail =
        'This deployment keeps lab results, and so their interpretation, from this role.';
      throw new ProblemError({ type: 'forbidden', detail });
    }
    const asked = ordersQueryOf(query);
    const page = await this.#source.listOrders(principal.teamId, asked, call);
    disclose({ patients: page.userIds, recordCount: page.orders.length, shown: 'listed' });
    const orders = seesResults ? page.orders : page.orders.map(withoutInterpretation);
    const total = page.total ?? 'null';
    const rest = seesResults ? (page.rest ?? '') : '';
    return `{"orders":[${orders.join(',')}],"total":${total},"page":${asked.page},"size":${page.size ?? asked.size}${rest}}`;
  }
}

function ordersQueryOf(query: ListOrdersQuery): OrdersQuery {
  const start = (date: string | undefined): number | undefined =>
    date === undefined ? undefined : instantOfQueryDate(date, 'start');
  const end = (date: string | undefined): number | undefined =>
    date === undefined ? undefined : instantOfQueryDate(date, 'end');
  const asked = {
    userId: query.user_id,
    patientName: query.patient_name,
    searchInput: query.search_input,
    createdFromUs: start(query.start_date),
    createdUntilUs: end(query.end_date),
    updatedFromUs: start(query.updated_start_date),
    updatedUntilUs: end(query.updated_end_date),
    statuses: query.status,
    interpretation: query.interpretation,
    orderIds: query.order_ids,
    key: query.order_key ?? 'created_at',
    direction: query.order_direction ?? 'desc',
    page: query.page ?? 1,
    size: query.size ?? DEFAULT_SIZE,
  };
  requireOrdered(asked.createdFromUs, asked.createdUntilUs, '');
  requireOrdered(asked.updatedFromUs, asked.updatedUntilUs, 'updated_');
  if (asked.orderIds?.every(isUuid) === false) {
    throw invalidParameters({ parameter: 'order_ids', reason: 'must be UUIDs' });
  }
  if ((asked.page - 1) * asked.size > Number.MAX_SAFE_INTEGER) {
    throw invalidParameters({ parameter: 'page', reason: 'is too large' });
  }
  return asked;
}

function requireOrdered(from: number | undefined, until: number | undefined, prefix: string): void {
  if (from !== undefined && until !== undefined && until < from) {
    const parameter = `${prefix}end_date`;
    throw invalidParameters({ parameter, reason: `is before ${prefix}start_date` });
  }
}

/** What a list of orders says of results. */
const OF_RESULTS: readonly string[] = [
  'interpretation',
  'has_missing_results',
] satisfies (keyof Order)[];

/** The JSON text of an order as those see it who may not see results. */
function withoutInterpretation(order: string): string {
  const members = Object.entries(JSON.parse(order) as Order);
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => !OF_RESULTS.includes(name))));
}
