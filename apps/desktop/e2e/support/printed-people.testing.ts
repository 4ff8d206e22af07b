import { emptyTeam, json, userOf, primaryOnly } from './fake-service.testing.ts';
import type { Responder } from './fake-service.testing.ts';

/** A person whose insurance and lab result are printed: with ordinary names, and with names twice as long. */
export interface PrintedPerson {
  readonly clientUserId: string;
  readonly orderId: string;
  /** The patient, who is not the insured person. */
  readonly info: {
    readonly first_name: string;
    readonly last_name: string;
    readonly dob: string;
  };
  readonly insurance: {
    readonly payor_code: string;
    readonly member_id: string;
    readonly group_id: string;
    readonly relationship: string;
    readonly insured: Readonly<Record<string, unknown>>;
  };
  readonly lab: Readonly<Record<string, unknown>>;
  /** Every text that came from the service and must be on the insurance's paper, a card too. */
  readonly onCard: readonly string[];
  /** Of the patient, in the words of each document; each page begins with them. */
  readonly identifiers: Readonly<Record<'insurance' | 'labs', readonly string[]>>;
}

const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';

const results = (name: (index: number) => string, note: string): readonly object[] =>
  Array.from({ length: 40 }, (_, index) => ({
    name: name(index),
    slug: `marker-${String(index)}`,
    result: `${String(100 + index)}.5`,
    value: 100.5 + index,
    unit: index % 5 === 0 ? 'mL/min/{1.73_m2}' : 'mmol/L',
    min_range_value: 1,
    max_range_value: index < 6 ? 90 : 200,
    timestamp: '2026-05-01T08:30:00Z',
    loinc: '2951-2',
    ...(index === 3 && { interpretation: 'panic' }),
    ...(index % 7 === 0 && { notes: note }),
  }));

const missing = (name: string, note: string): readonly object[] => [
  { name, slug: 'ferritin', inferred_failure_type: 'insufficient_volume', note },
];

export const ordinary: PrintedPerson = {
  clientUserId: 'MRN-000101',
  orderId,
  info: { first_name: 'Teodor', last_name: 'Brannigan-Voss', dob: '1954-01-19' },
  insurance: {
    payor_code: 'NWMUT',
    member_id: 'NWM284902123',
    group_id: 'GRP-60760',
    relationship: 'Spouse',
    insured: {
      first_name: 'Amara',
      last_name: 'Okonkwo-Lindqvist',
      dob: '1985-03-07',
      gender: 'female',
      phone_number: '+12125550123',
      email: 'amara.okonkwo-lindqvist@example.org',
      address: {
        first_line: '14 Larkspur Hollow',
        second_line: 'Apt 4B',
        city: 'New York',
        state: 'NY',
        zip_code: '10012',
      },
    },
  },
  lab: {
    metadata: {
      patient: 'Amara Okonkwo-Lindqvist',
      dob: '07/03/1985',
      age: 41,
      provider: 'Dr. Imani Featherstonehaugh',
      laboratory: 'Northern Reference Laboratory',
      clia_number: '05D2049531',
      specimen_number: 'SPEC-123456789',
      date_collected: '2026-05-01',
      date_reported: '2026-05-03',
      status: 'final',
      interpretation: 'abnormal',
    },
    missing_results: missing('Ferritin', 'Ask for a new vial'),
    results: results((index) => `Sodium ${String(index)}`, 'Measured twice'),
  },
  onCard: ['NWMUT', 'NWM284902123', 'GRP-60760', 'Amara', 'Okonkwo', 'Lindqvist', 'MRN-000101'],
  identifiers: {
    insurance: ['Teodor Brannigan-Voss', '1954', 'MRN-000101'],
    labs: ['Amara Okonkwo-Lindqvist', '1985', 'MRN-000101'],
  },
};

const longest = `${'Wolfeschlegelsteinhausen'.repeat(8)}bergers`;

/** Names, ids and notes twice as long as they mostly are; one without a place to break. */
export const long: PrintedPerson = {
  clientUserId: 'MRN-000101-000101-HARBOURSIDE-NORTH',
  orderId,
  info: { first_name: 'Q', last_name: longest, dob: '1954-01-19' },
  insurance: {
    payor_code: 'NORTHWIND-MUTUAL-00123',
    member_id: 'NWM284902123NWM284902123',
    group_id: 'GRP-60760-GRP-60760-60760',
    relationship: 'Spouse',
    insured: {
      ...ordinary.insurance.insured,
      first_name: 'Maximiliane-Alexandra Wilhelmina',
      last_name: 'FeatherstonehaughCholmondeleyHohenzollernSigmaringen von Wittelsbach',
      email:
        'maximiliane-alexandra.featherstonehaugh-cholmondeley@northern-harbourside.example.org',
      address: {
        first_line: '1414 Larkspur Hollow at the Old Northern Harbourside Gate',
        second_line: 'Apartment 4B, second courtyard',
        city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
        state: 'North Rhine-Westphalia',
        zip_code: '10012-10012',
      },
    },
  },
  lab: {
    metadata: {
      patient:
        'Maximiliane-Alexandra FeatherstonehaughCholmondeleyHohenzollernSigmaringen von Wittelsbach',
      dob: '07/03/1985',
      age: 41,
      provider: 'Dr Bartholomew Fotheringham-Ashworth-Pemberton',
      laboratory: 'The Northern Reference Laboratory for Clinical Chemistry and Haematology',
      clia_number: '05D204953105D2049531',
      specimen_number: 'SPEC-000000000000123456789',
      date_collected: '2026-05-01',
      date_reported: '2026-05-03',
      status: 'final',
      interpretation: 'abnormal',
    },
    missing_results: missing(
      'Ferritin, by a very long name of a test that could not be measured at all',
      'Ask-for-a-new-vial',
    ),
    results: results(
      (index) => `Tetraiodothyronine-binding-globulin-saturation no.${String(index)}`,
      'Measured-twice-with-another-reagent',
    ),
  },
  onCard: [
    'NORTHWIND-MUTUAL-00123',
    'NWM284902123NWM284902123',
    'GRP-60760-GRP-60760-60760',
    'Maximiliane',
    'Wilhelmina',
    'FeatherstonehaughCholmondeleyHohenzollernSigmaringen',
    'Wittelsbach',
    'HARBOURSIDE',
  ],
  identifiers: {
    insurance: [longest, '1954', 'MRN-000101-000101-HARBOURSIDE'],
    labs: [
      'FeatherstonehaughCholmondeleyHohenzollernSigmaringen',
      '1985',
      'MRN-000101-000101-HARBOURSIDE',
    ],
  },
};

/** The service with this person alone. */
export function serviceOf({ clientUserId, info, insurance, lab }: PrintedPerson): Responder {
  const audit = { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' };
  return (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, userOf(clientUserId), audit);
    else if (url.includes('/info/')) json(response, 200, info, audit);
    else if (url.includes('/insurance/')) primaryOnly(request, response, insurance, audit);
    else if (url.includes(orderId)) json(response, 200, lab, audit);
    else emptyTeam(request, response);
  };
}
