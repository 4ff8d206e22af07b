import type {
  FoundPeople,
  GroupedMindfulnessMinutes,
  Insurance,
  LabOrderResult,
  OrderHistory,
  OrderList,
  User,
  UserInfo,
  UserList,
} from '@caregate/domain';

const userId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const orderId = '5d1f7c7e-4a0b-4b53-9a76-0a1f0d3c2b18';

/** Examples about a fictional person. */
export const USER_EXAMPLE: User = {
  user_id: userId,
  team_id: '5a3c8f10-6d2b-4e7a-9c41-0f8b2d6e1a37',
  client_user_id: 'MRN-000101',
  created_on: '2023-01-16T14:20:00+00:00',
  connected_sources: [
    {
      created_on: '2023-01-20T08:05:00+00:00',
      source: { logo: 'https://logos.example.com/oura.png', name: 'Oura', slug: 'oura' },
    },
  ],
  fallback_time_zone: {
    id: 'America/New_York',
    source_slug: 'oura',
    updated_at: '2023-01-20T08:05:00+00:00',
  },
  fallback_birth_date: null,
  ingestion_start: '2023-01-16',
  ingestion_end: null,
};

export const USER_LIST_EXAMPLE: UserList = {
  users: [USER_EXAMPLE],
  total: 1,
  offset: 0,
  limit: 100,
};

export const INSURANCE_EXAMPLE: Insurance = {
  payor_code: 'NWMUT',
  member_id: 'NWM204518877',
  group_id: 'G-7741',
  relationship: 'Self',
  insured: {
    first_name: 'Amara',
    last_name: 'Example',
    email: 'amara@example.com',
    phone_number: '+12125550101',
    gender: 'female',
    dob: '1986-04-12',
    address: {
      first_line: '12 Larkspur Row',
      second_line: null,
      zip_code: '10001',
      state: 'NY',
      city: 'New York',
    },
  },
};

export const LAB_ORDER_RESULT_EXAMPLE: LabOrderResult = {
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
        id: orderId,
        created_at: '2026-11-07T09:00:00+00:00',
        updated_at: '2026-11-10T11:12:00+00:00',
        low_level_status: 'completed',
        low_level_status_created_at: '2026-11-10T11:12:00+00:00',
        origin: 'initial',
      },
    ],
  },
};

const groups: GroupedMindfulnessMinutes['groups'] = {
  oura: [
    {
      data: [
        {
          start: '2026-11-18T07:00:00-05:00',
          end: '2026-11-18T07:12:00-05:00',
          unit: 'min',
          value: 12,
        },
      ],
      source: { provider: 'oura', type: 'ring' },
    },
  ],
};

export const MINDFULNESS_MINUTES_EXAMPLE = { groups, next: null, next_cursor: null };

export const USER_INFO_EXAMPLE: UserInfo = {
  first_name: 'Amara',
  last_name: 'Example',
  email: 'amara@example.com',
  phone_number: '+12125550101',
  gender: 'female',
  dob: '1986-04-12',
  address: {
    first_line: '12 Larkspur Row',
    second_line: null,
    zip: '10001',
    city: 'New York',
    state: 'NY',
    country: 'US',
  },
};

export const ORDER_LIST_EXAMPLE: OrderList = {
  orders: [
    {
      id: orderId,
      team_id: USER_EXAMPLE.team_id,
      user_id: userId,
      patient_details: {
        first_name: 'Amara',
        last_name: 'Example',
        dob: '1986-04-12',
        gender: 'female',
      },
      lab_test: { name: 'Lipid panel', slug: 'lipid-panel', method: 'walk_in_test' },
      created_at: '2026-11-07T09:00:00+00:00',
      updated_at: '2026-11-10T11:12:00+00:00',
      status: 'completed',
      last_event: {
        id: 2,
        created_at: '2026-11-10T11:12:00+00:00',
        status: 'completed.walk_in_test.completed',
      },
      interpretation: 'abnormal',
      has_missing_results: false,
      origin: 'initial',
    },
  ],
  total: 1,
  page: 1,
  size: 50,
};

export const ORDER_HISTORY_EXAMPLE: OrderHistory = {
  order_id: orderId,
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
};

export const FOUND_PEOPLE_EXAMPLE: FoundPeople = {
  people: [
    {
      user_id: userId,
      client_user_id: 'MRN-000101',
      name: 'Amara Example',
      name_source: 'info',
      name_as_of: '2026-11-07',
      birth_date: '1986-04-12',
      birth_date_source: 'info',
      phone: '+12125550123',
      town: 'New York, NY',
      last_seen: '2026-11-10',
      matched: 'name',
    },
  ],
  searched: 'people',
  total: 1,
  more: false,
};

/** Example values of parameters. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number | boolean>> = {
  user_id: userId,
  order_id: orderId,
  client_user_id: 'MRN-000101',
  start_date: '2026-11-01',
  end_date: '2026-11-20T18:00:00Z',
  provider: 'oura',
  is_primary: true,
  offset: 0,
  limit: 100,
  patient_name: 'amara ex',
  search_input: '1986-04-12',
  updated_start_date: '2026-11-01',
  updated_end_date: '2026-11-20T18:00:00Z',
  interpretation: 'abnormal',
  order_key: 'created_at',
  order_direction: 'desc',
  page: 1,
  size: 50,
};
