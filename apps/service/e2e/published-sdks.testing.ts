import type { ImportEnvelope } from '@caregate/domain';

export const teamId = '0f6e3a52-7c1d-4b8a-9e2f-5d4c3b2a1f01';
export const userId = '0f6e3a52-7c1d-4b8a-9e2f-5d4c3b2a1f02';
export const orderId = '0f6e3a52-7c1d-4b8a-9e2f-5d4c3b2a1f03';
export const clientUserId = 'MRN 42/ü';

const address = {
  first_line: '1 Long Street',
  second_line: 'Flat 2',
  zip_code: '02139',
  city: 'Cambridge',
  state: 'MA',
};

export const user = {
  user_id: userId,
  team_id: teamId,
  client_user_id: clientUserId,
  created_on: '2025-01-02T03:04:05+00:00',
  connected_sources: [
    {
      source: { name: 'Oura', slug: 'oura', logo: 'https://example.com/oura.png' },
      created_on: '2025-02-03T04:05:06+00:00',
    },
  ],
  fallback_time_zone: {
    id: 'America/New_York',
    source_slug: 'oura',
    updated_at: '2025-02-03T04:05:06+00:00',
  },
  fallback_birth_date: {
    value: '1980-04-05',
    source_slug: 'oura',
    updated_at: '2025-02-03T04:05:06+00:00',
  },
};

/** With the country and the company, which the interface document does not know and the SDKs require. */
export const insurance = {
  payor_code: 'UHC01',
  member_id: 'M-1',
  group_id: 'G-1',
  relationship: 'Spouse',
  insured: {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.com',
    phone_number: '+16175550100',
    gender: 'female',
    dob: '1980-04-05',
    address: { ...address, country: 'US' },
  },
  company: { name: 'Example Health', address: { ...address, zip: '02139', country: 'US' } },
};

export const result = {
  metadata: {
    patient: 'Ada Example',
    dob: '05/04/1980',
    age: 45,
    clia_number: '22D0000000',
    provider: 'Dr. Example',
    laboratory: 'Example Labs',
    date_reported: '2026-10-03',
    date_collected: '2026-10-01',
    date_received: '2026-10-02',
    specimen_number: 'S-1',
    status: 'final',
    interpretation: 'abnormal',
  },
  results: [
    {
      name: 'Glucose',
      slug: 'glucose',
      result: '101.50',
      type: 'numeric',
      unit: 'mg/dL',
      timestamp: '2026-10-03T10:00:00+00:00',
      min_range_value: 65,
      max_range_value: 99.5,
      is_above_max_range: true,
      is_below_min_range: false,
      interpretation: 'abnormal',
      loinc: '2345-7',
      loinc_slug: 'glucose',
      source_markers: [{ marker_id: 7, name: 'Glucose', slug: 'glucose', provider_id: '001032' }],
    },
  ],
  missing_results: [
    { name: 'Insulin', slug: 'insulin', inferred_failure_type: 'quantity_not_sufficient_failure' },
  ],
  order_transaction: {
    id: '0f6e3a52-7c1d-4b8a-9e2f-5d4c3b2a1f04',
    status: 'completed',
    orders: [
      {
        id: orderId,
        low_level_status: 'completed',
        origin: 'initial',
        created_at: '2026-09-30T10:00:00+00:00',
        updated_at: '2026-10-03T10:00:00+00:00',
      },
    ],
  },
};

/** With the app and the device, which the interface document does not know. */
export const source = {
  provider: 'oura',
  type: 'ring',
  app_id: 'com.ouraring.oura',
  device_id: '0f6e3a52-7c1d-4b8a-9e2f-5d4c3b2a1f05',
};
export const points = [
  {
    id: 1,
    timezone_offset: -14_400,
    type: null,
    start: '2026-10-01T08:00:00+00:00',
    end: '2026-10-01T08:10:00+00:00',
    unit: 'min',
    value: 10,
  },
  {
    id: 2,
    timezone_offset: -14_400,
    type: null,
    start: '2026-10-02T08:00:00+00:00',
    end: '2026-10-02T08:12:30+00:00',
    unit: 'min',
    value: 12.5,
  },
];

const of = { team_id: teamId, user_id: userId };

/** What the public API's own data looks like, told in the interface document's names. */
export const envelopes = [
  { kind: 'user', user },
  { kind: 'insurance', ...of, recorded_at: '2026-01-01T00:00:00Z', insurance },
  { kind: 'lab_result', ...of, order_id: orderId, result },
  { kind: 'mindfulness_minutes', ...of, source, data: points },
] as unknown as readonly ImportEnvelope[];

/** The same for a body and what an SDK makes of it: field names without their case and signs, moments as UTC; nothing where null is. */
export function plain(value: unknown): unknown {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\dT/u.test(value) ? new Date(value).toISOString() : value;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return Object.fromEntries(
      fields.map(([name, each]) => [
        name.replaceAll(/[^a-z0-9]/giu, '').toLowerCase(),
        plain(each),
      ]),
    );
  }
  return value;
}
