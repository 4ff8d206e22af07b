import { orNotFound } from '../../problem/problem-error.ts';
import { historyOf } from '../biomarker-history.ts';
import { EXAMPLE_ORDER_ID, type Read } from '../read.ts';

export const orderHistory: Read<'orderHistory'> = {
  scope: null,
  category: 'lab_result',
  fhir: { form: 'read', resource: 'DiagnosticReport' },
  about: {
    tag: 'Desk',
    summary: 'Get what came before the result of a lab order',
    description:
      'Up to ten earlier values of each biomarker of the same person, by LOINC code (else slug) and unit, and the version of the result that a correction replaced. Reports with another name or birth date are left out. Where a deployment keeps lab results from a role, it keeps this too. The audit record names every order that was read.',
    problems: [404, 422, 501],
    example: {
      order_id: EXAMPLE_ORDER_ID,
      biomarkers: [
        {
          slug: 'ldl-cholesterol',
          loinc: '13457-7',
          unit: 'mg/dL',
          earlier: [
            {
              order_id: '1b0d5c1e-6f3a-4c55-8a3e-2f7d9b4c6e10',
              date: '2025-10-30',
              measured: {
                name: 'LDL Cholesterol',
                slug: 'ldl-cholesterol',
                value: 119,
                result: '119',
                unit: 'mg/dL',
                loinc: '13457-7',
              },
            },
          ],
        },
      ],
      replaced: null,
      left_out: 0,
    },
  },
  async answer(call) {
    const orderId = call.params.order_id.toLowerCase();
    const stored = orNotFound(await call.find(orderId));
    const history = await historyOf(orderId, stored, call.pause);
    const earlier = history.biomarkers.flatMap((each) => each.earlier.map((one) => one.order_id));
    const orderIds = [...new Set([orderId, ...earlier])];
    call.disclose({
      patients: [stored.userId],
      recordCount: orderIds.length,
      details: { order_ids: orderIds.join(' ') },
    });
    return JSON.stringify(history);
  },
};
