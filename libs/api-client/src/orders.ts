import type { LabOrderResult } from '@caregate/domain';
import type { Call, CallOptions, Operation } from './call.ts';
import { objectWith } from './shape.ts';

const LAB_ORDER_RESULT: Operation<LabOrderResult> = {
  template: '/v3/order/{order_id}/result',
  fault: objectWith({ metadata: 'object', results: 'array' }),
};

/** Lab orders. Every method rejects with subclasses of HealthDataError only. */
export class Orders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** `GET /v3/order/{order_id}/result` */
  async result(orderId: string, options?: CallOptions): Promise<LabOrderResult> {
    return this.#call(LAB_ORDER_RESULT, { ids: { order_id: orderId } }, options);
  }
}
