import type { LabOrderResult } from '@caregate/domain';
import { LAB_ORDER_RESULT } from '@caregate/domain/operations';
import type { Call, CallOptions } from './call.ts';
import type { ApiPromise } from './api-promise.ts';
import { objectWith } from './shape.ts';

const resultFault = /* @__PURE__ */ objectWith({ metadata: 'object', results: 'array' });

/** `GET /v3/order/{order_id}/result` */
export function labOrderResult(
  connection: Call,
  orderId: string,
  options?: CallOptions,
): ApiPromise<LabOrderResult> {
  return connection(LAB_ORDER_RESULT, resultFault, () => ({ ids: { order_id: orderId } }), options);
}

/** Lab orders. All methods reject only with subclasses of HealthDataError. */
export class Orders {
  readonly #connection: Call;

  constructor(connection: Call) {
    this.#connection = connection;
  }

  /** `GET /v3/order/{order_id}/result` */
  result(orderId: string, options?: CallOptions): ApiPromise<LabOrderResult> {
    return labOrderResult(this.#connection, orderId, options);
  }
}
