import type {
  BiomarkerResult,
  LabOrderResult,
  MissingBiomarkerResult,
  OrderTransaction,
} from '@caregate/domain';
import { edgeCases, numbered } from './cases.ts';
import { WHEN, metadata, named, sodium, transactionId, words } from './lab-parts.ts';
import { withExtra } from './users.ts';

export const nullResult: LabOrderResult = {
  metadata: {
    age: null,
    dob: null,
    clia_number: null,
    patient: null,
    provider: null,
    laboratory: null,
    date_reported: null,
    date_collected: null,
    date_received: null,
    specimen_number: null,
    status: null,
    interpretation: null,
  },
  results: [
    {
      ...words('5.1'),
      name: 'Nothing known',
      slug: 'nothing-known',
      result: '5.1',
      type: null,
      timestamp: null,
      notes: null,
      loinc: null,
      loinc_slug: null,
      provider_id: null,
      source_markers: null,
    },
    {
      ...sodium,
      source_markers: [{ marker_id: null, name: null, slug: null, provider_id: null }],
    },
  ],
  missing_results: [
    {
      name: 'Missing',
      slug: 'missing',
      inferred_failure_type: null,
      note: null,
      loinc: null,
      loinc_slug: null,
      provider_id: null,
      source_markers: null,
    },
  ],
  sample_information: null,
  order_transaction: {
    id: transactionId(2),
    status: 'completed',
    orders: [
      {
        id: edgeCases.nullsEverywhere.orderId,
        created_at: WHEN,
        updated_at: WHEN,
        low_level_status: null,
        low_level_status_created_at: null,
        origin: null,
      },
    ],
  },
};

export const extraResult: LabOrderResult = withExtra(
  {
    metadata: withExtra(metadata, { 'clia_#': '99D0000101', fasting: true }),
    results: [
      withExtra(
        {
          ...sodium,
          source_markers: [withExtra({ marker_id: 7, name: 'Sodium' }, { panel: { id: 3 } })],
        },
        { reference_text: '134 - 144', percentile: 0.4 },
      ),
    ],
    missing_results: [withExtra({ name: 'Iron', slug: 'iron' }, { retry_after_days: 3 })],
    order_transaction: withExtra(
      {
        id: transactionId(8),
        status: 'completed',
        orders: [
          withExtra(
            { id: edgeCases.extraFields.orderId, created_at: WHEN, updated_at: WHEN },
            { parent_id: null },
          ),
        ],
      },
      { priority: ['stat'] },
    ),
  },
  { report_version: 2 },
);

export const unknownResult: LabOrderResult = {
  metadata: { ...metadata, status: 'amended', interpretation: 'borderline' },
  results: [
    { ...sodium, type: 'ratio', interpretation: 'panic_high' },
    { ...sodium, name: 'Potassium', slug: 'potassium', loinc: '2823-3', interpretation: 'NORMAL' },
  ],
  missing_results: [
    { name: 'Iron', slug: 'iron', inferred_failure_type: 'courier_took_the_day_off' },
  ],
  order_transaction: {
    id: transactionId(9),
    status: 'on_hold',
    orders: [
      {
        id: edgeCases.unknownValues.orderId,
        created_at: WHEN,
        updated_at: WHEN,
        low_level_status: 'dispatched_by_balloon',
        low_level_status_created_at: WHEN,
        origin: 'walk_in',
      },
    ],
  },
};

// Written out rather than imported: this package needs nothing of the domain at run time. A test compares.
const failureTypes = `quantity_not_sufficient_failure collection_process_failure drop_off_failure
  internal_lab_failure order_entry_failure non_failure unknown_failure patient_condition_failure
  missing_result_calc_failure missing_demo_aoe_calc_failure insufficient_volume`.split(/\s+/);

const lowLevelStatuses = `ordered requisition_created requisition_bypassed transit_customer
  out_for_delivery with_customer transit_lab delivered_to_lab completed failure_to_deliver_to_lab
  failure_to_deliver_to_customer problem_in_transit_lab problem_in_transit_customer sample_error
  appointment_scheduled appointment_cancelled appointment_pending draw_completed cancelled lost
  do_not_process partial_results awaiting_registration registered redraw_available corrected
  lab_processing_blocked`.split(/\s+/);

export function everyFailure(): MissingBiomarkerResult[] {
  return failureTypes.map((failure, index) => ({
    name: `Missing ${index + 1}`,
    slug: `missing-${index + 1}`,
    inferred_failure_type: failure,
    note: `Not reported: ${failure.replaceAll('_', ' ')}.`,
    loinc: '2951-2',
    loinc_slug: 'sodium',
    provider_id: String(1000 + index),
    source_markers: [
      { marker_id: index + 1, name: 'Sodium', slug: 'sodium', provider_id: String(1000 + index) },
    ],
  }));
}

/** Each known status once, a day apart, as orders of one transaction. */
export function everyStatus(): OrderTransaction {
  const origins = ['initial', 'redraw', 'recreation'];
  return {
    id: transactionId(26),
    status: 'active',
    orders: lowLevelStatuses.map((status, index) => {
      const at = new Date(Date.UTC(2026, 2, 1 + index, 9)).toISOString();
      const id =
        index === 0 ? edgeCases.everyStatus.orderId : numbered('a3c0de00-0000-4000-b000-', index);
      return {
        id,
        created_at: at,
        updated_at: at,
        low_level_status: status,
        low_level_status_created_at: at,
        origin: origins[Math.min(index, 2)] ?? 'initial',
      };
    }),
  };
}

export const nested: Record<string, unknown> = {
  'SAMPLE-1': {
    tube: {
      cap: {
        colour: 'lavender',
        shades: ['light', null, { of: { very: { deep: [1, [2, [3]]] } } }],
      },
    },
    'key with space and ünïcode': '結果',
    temperature_c: -20.5,
    hemolyzed: false,
    empty: {},
    none: null,
  },
  list: [],
  text: 'x'.repeat(2000),
};

/** Five hundred results: every fifth above its range, every seventh below it. */
export function fiveHundred(): BiomarkerResult[] {
  return Array.from({ length: 500 }, (_, index) => {
    if (index % 5 === 0) {
      const value = 145 + index;
      return named(index + 1, {
        value,
        result: String(value),
        is_above_max_range: true,
        interpretation: 'abnormal',
      });
    }
    if (index % 7 === 0) {
      return named(index + 1, {
        value: 120,
        result: '120',
        is_below_min_range: true,
        interpretation: 'abnormal',
      });
    }
    return named(index + 1, {});
  });
}
