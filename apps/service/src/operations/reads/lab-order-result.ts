import { orNotFound, ProblemError } from '../../problem/problem-error.ts';
import type { NoResult } from '@caregate/data-store';
import { EXAMPLE_ORDER_ID, type Read } from '../read.ts';

export const labOrderResult: Read<'labOrderResult'> = {
  scope: 'lab-results:read',
  category: 'lab_result',
  fhir: { form: 'read', resource: 'DiagnosticReport' },
  about: {
    tag: 'Lab results',
    summary: 'Get the result of a lab order',
    description:
      'Biomarkers with their reference ranges, missing results with reasons, and the history of the order. If the order exists but has no result yet, the 404 is of the type `/problems/no-result`, and its `order_status` says where the order is.',
    problems: [404, 422],
    example: {
      metadata: {
        age: 40,
        dob: '12/04/1986',
        clia_number: '12D4567890',
        patient: 'Amara Example',
        provider: 'Dr. Ines Example',
        laboratory: 'Example Laboratory',
        date_reported: '2026-11-10',
        date_collected: '2026-11-08',
        date_received: '2026-11-09',
        specimen_number: '123131',
        status: 'final',
        interpretation: 'abnormal',
      },
      results: [
        {
          name: 'LDL Cholesterol',
          slug: 'ldl-cholesterol',
          value: 128,
          result: '128',
          type: 'numeric',
          unit: 'mg/dL',
          timestamp: '2026-11-10T11:12:00+00:00',
          min_range_value: 0,
          max_range_value: 99,
          is_above_max_range: true,
          is_below_min_range: false,
          interpretation: 'abnormal',
          loinc: '13457-7',
          loinc_slug: 'ldl-cholesterol-calc',
        },
      ],
      missing_results: null,
      order_transaction: {
        id: '8f2d6f0a-0a5e-4c3f-9d1b-6f7e8a9b0c1d',
        status: 'completed',
        orders: [
          {
            id: EXAMPLE_ORDER_ID,
            created_at: '2026-11-07T09:00:00+00:00',
            updated_at: '2026-11-10T11:12:00+00:00',
            low_level_status: 'completed',
            low_level_status_created_at: '2026-11-10T11:12:00+00:00',
            origin: 'initial',
          },
        ],
      },
    },
  },
  async answer(call) {
    const { body, userId, ...missing } = orNotFound(await call.find(call.params.order_id));
    const patients = userId === undefined ? [] : [userId];
    if (body === undefined) {
      call.disclose({ patients, recordCount: 0 });
      const { orderStatus } = missing as NoResult;
      throw new ProblemError({
        type: 'no-result',
        ...(/^[\w.-]{1,100}$/u.test(orderStatus ?? '') && { orderStatus }),
      });
    }
    const unnamed = userId === undefined ? { unnamedPatients: 1 } : {};
    call.disclose({ patients, ...unnamed, recordCount: 1 });
    return body;
  },
};
