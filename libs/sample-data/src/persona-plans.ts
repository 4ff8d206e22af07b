import type { InsurancePlan } from './insurance.ts';
import type { OrderPlan } from './labs/order-plan.ts';
import type { MindfulnessPlan } from './mindfulness.ts';
import type { Home, Person } from './person.ts';
import { sourceBySlug } from './sources.ts';
import { parseInstant } from './time.ts';
import type { UserPlan } from './user-plan.ts';

export type PersonaName =
  | 'amara'
  | 'teodoro'
  | 'wren'
  | 'yutong'
  | 'layla'
  | 'olufemi'
  | 'sunniva'
  | 'kabir'
  | 'milo';

interface PersonaDefinition {
  readonly name: PersonaName;
  /** What the front desk sees in this person's data. */
  readonly story: string;
  readonly plan: UserPlan;
}

interface Part {
  readonly person: Person;
  readonly clientUserId: string;
  readonly createdOn: string;
  readonly hasBirthDate?: boolean;
  readonly hasInfo?: boolean;
  readonly sources?: readonly string[];
  readonly orders?: readonly OrderPlan[];
  readonly insurances?: readonly InsurancePlan[];
  readonly mindfulness?: readonly MindfulnessPlan[];
}

function plan({ orders = [], insurances = [], mindfulness = [], ...part }: Part): UserPlan {
  return {
    ...part,
    createdOn: parseInstant(part.createdOn),
    hasBirthDate: part.hasBirthDate ?? true,
    hasInfo: part.hasInfo ?? true,
    sources: (part.sources ?? []).map(sourceBySlug),
    orders: () => orders,
    insurances: () => insurances,
    mindfulness: () => mindfulness,
  };
}

function person(
  names: readonly [first: string, last: string, full?: string],
  traits: Pick<Person, 'sex' | 'birthDate' | 'zone'> & { readonly gender?: string },
  home: Home,
  email: string,
  phone: string,
): Person {
  const [firstName, lastName, fullName = `${firstName} ${lastName}`] = names;
  return { firstName, lastName, fullName, gender: traits.sex, ...traits, home, email, phone };
}

function order(
  daysAgo: number,
  panels: OrderPlan['panels'],
  rest: Partial<OrderPlan> = {},
): OrderPlan {
  return { daysAgo, panels, course: 'completed', abnormalShare: 0.04, ...rest };
}

function insured(daysAgo: number, payor: string, rest: Partial<InsurancePlan> = {}): InsurancePlan {
  return { daysAgo, payor, isPrimary: true, relationship: 'Self', ...rest };
}

function sits(
  provider: string,
  type: string,
  rest: Partial<MindfulnessPlan> = {},
): MindfulnessPlan {
  const usual = { morning: 0.8, noon: 0.1, evening: 0.5, weekend: 0.6, minutes: 10 };
  return { provider, type, wholeMinutes: type === 'app', ...usual, ...rest };
}

const home = (
  first_line: string,
  city: string,
  state: string,
  zip_code: string,
  second_line: string | null = null,
  country = 'US',
): Home => ({ first_line, second_line, city, state, zip_code, country });

const amara = person(
  ['Amara', 'Okonkwo-Lindqvist'],
  { sex: 'female', birthDate: '1985-03-07', zone: 'America/New_York' },
  home('14 Larkspur Hollow', 'New York', 'NY', '10012', 'Apt 4B'),
  'amara.okonkwo-lindqvist@example.org',
  '+12125550123',
);

const teodoro = person(
  ['Teodoro', 'Vásquez Ibarra'],
  { sex: 'male', birthDate: '1968-11-30', zone: 'America/Los_Angeles' },
  home('208 Saltmarsh Crescent', 'Los Angeles', 'CA', '90012'),
  'teodoro.vasquez@example.com',
  '+12135550142',
);

const marisol = person(
  ['Marisol', 'Ibarra Quintanilla'],
  { sex: 'female', birthDate: '1970-05-19', zone: 'America/Los_Angeles' },
  teodoro.home,
  'marisol.ibarra@example.com',
  '+12135550143',
);

const wren = person(
  ['Wren', 'Halloway'],
  { sex: 'female', gender: 'other', birthDate: '1997-02-28', zone: 'America/Chicago' },
  home('77 Copperkettle Road', 'Chicago', 'IL', '60614', 'Unit 12'),
  'wren.halloway@example.net',
  '+13125550167',
);

const yutong = person(
  ['雨桐', '欧阳', '欧阳雨桐'],
  { sex: 'female', birthDate: '1991-09-04', zone: 'America/Vancouver' },
  home('5 Lanternfish Way', 'Vancouver', 'BC', 'V6B 1Z1', null, 'CA'),
  'ouyang.yutong@example.org',
  '+16045550118',
);

const layla = person(
  ['ليلى', 'الحدّاد'],
  { sex: 'female', birthDate: '1992-12-12', zone: 'Africa/Cairo' },
  home('3 Nettlecombe Place', 'Detroit', 'MI', '48226'),
  'layla.alhaddad@example.net',
  '+13135550131',
);

const olufemi = person(
  ['Olufemi', 'Brandt-Adeyinka'],
  { sex: 'male', birthDate: '1960-04-08', zone: 'Europe/London' },
  home('41 Foxglove Steps', 'London', 'Greater London', 'N1 7ZZ', null, 'GB'),
  'olufemi.brandt@example.com',
  '+447700900123',
);

const sunniva = person(
  ['Sunniva', 'Þórðardóttir-Quill'],
  { sex: 'female', birthDate: '1952-06-21', zone: 'America/Denver' },
  home('600 Windfall Orchard Road', 'Denver', 'CO', '80203', 'Floor 3'),
  'sunniva.quill@example.org',
  '+13035550155',
);

const kabir = person(
  ['Kabir', 'Tamang-Holloway'],
  { sex: 'male', birthDate: '2009-08-15', zone: 'Asia/Kathmandu' },
  home('9 Juniper Loom Street', 'Seattle', 'WA', '98104'),
  'kabir.tamang@example.net',
  '+12065550109',
);

const sarita = person(
  ['Sarita', 'Tamang'],
  { sex: 'female', birthDate: '1979-01-26', zone: 'America/Los_Angeles' },
  kabir.home,
  'sarita.tamang@example.net',
  '+12065550108',
);

const milo = person(
  ['Milo', 'Quist'],
  { sex: 'male', birthDate: '2001-10-10', zone: 'America/Phoenix' },
  home('1 Pebblegate Street', 'Phoenix', 'AZ', '85004'),
  'milo.quist@example.com',
  '+16025550100',
);

/** Fictional people, always the same; the first users of every sample, in this order. */
export const personaDefinitions: readonly PersonaDefinition[] = [
  {
    name: 'amara',
    story:
      'The everyday visit: six orders with results in two years (one corrected, one partial) and one awaited, LDL a little high, two insurances, ring and watch.',
    plan: plan({
      person: amara,
      clientUserId: 'MRN-000101',
      createdOn: '2023-01-16T14:20:00Z',
      sources: ['oura', 'apple_health_kit'],
      orders: [
        order(700, ['cbc', 'cmp', 'lipids'], { stream: 101 }),
        order(420, ['cbc', 'cmp', 'lipids']),
        order(300, ['lipids', 'thyroid'], { stream: 102, course: 'partial', missing: ['tsh'] }),
        order(190, ['cbc', 'cmp', 'lipids'], { stream: 103 }),
        order(45, ['cbc', 'cmp', 'lipids'], {
          stream: 104,
          course: 'corrected',
          values: { potassium: 4.4 },
          before: { potassium: 5.6 },
        }),
        order(12, ['cbc', 'cmp', 'lipids', 'thyroid'], {
          values: { 'ldl-cholesterol': 128, 'hdl-cholesterol': 56, triglycerides: 118 },
        }),
        order(3, ['hba1c', 'iron'], { stream: 105, course: 'awaited' }),
      ],
      insurances: [
        insured(300, 'NWMUT'),
        insured(290, 'LNTRN', { isPrimary: false, relationship: 'Spouse' }),
      ],
      mindfulness: [sits('oura', 'ring'), sits('apple_health_kit', 'watch', { morning: 0.2 })],
    }),
  },
  {
    name: 'teodoro',
    story:
      'Abnormal lipids and HbA1c, potassium missing and its redraw pending, insured through his spouse.',
    plan: plan({
      person: teodoro,
      clientUserId: 'MRN-000118',
      createdOn: '2022-06-03T17:45:00Z',
      sources: ['fitbit'],
      orders: [
        order(10, ['cmp', 'lipids', 'hba1c'], {
          course: 'redraw_pending',
          missing: ['potassium'],
          failure: 'collection_process_failure',
          values: {
            glucose: 148,
            hba1c: 7.4,
            'ldl-cholesterol': 171,
            'hdl-cholesterol': 34,
            triglycerides: 262,
          },
        }),
      ],
      insurances: [insured(640, 'BHERN', { relationship: 'Spouse', subscriber: marisol })],
      mindfulness: [sits('fitbit', 'watch', { morning: 0.1, wholeMinutes: true })],
    }),
  },
  {
    name: 'wren',
    story:
      'No laboratory orders; sits every day across the change of clocks, with three providers; changed payor.',
    plan: plan({
      person: wren,
      clientUserId: 'MRN-000127',
      createdOn: '2024-03-01T16:05:00Z',
      sources: ['garmin', 'stillwater', 'apple_health_kit'],
      insurances: [insured(700, 'CEDPT'), insured(45, 'SHRBR')],
      mindfulness: [
        sits('garmin', 'watch', { morning: 0.95, weekend: 1 }),
        sits('stillwater', 'app', { morning: 0.3, noon: 0.8, evening: 0.9, minutes: 20 }),
        sits('apple_health_kit', 'phone', { morning: 0.1, evening: 0.2, minutes: 3 }),
      ],
    }),
  },
  {
    name: 'yutong',
    story:
      'Chinese name; results in words: blood group, urine, hepatitis screen; a corrected report; no wearable.',
    plan: plan({
      person: yutong,
      clientUserId: 'MRN-000133',
      createdOn: '2021-10-11T20:00:00Z',
      orders: [
        order(800, ['bloodGroup', 'infection']),
        order(60, ['cbc', 'urinalysis', 'femaleHormones'], {
          course: 'corrected',
          abnormalShare: 0.15,
        }),
      ],
      insurances: [insured(150, 'GRTOK')],
    }),
  },
  {
    name: 'layla',
    story:
      'Arabic name; iron deficiency; ferritin missed at first, its redraw completed: two orders of one transaction.',
    plan: plan({
      person: layla,
      clientUserId: 'MRN-000140',
      createdOn: '2023-09-25T13:10:00Z',
      sources: ['oura'],
      orders: [
        order(75, ['cbc', 'iron', 'vitamins'], {
          course: 'redraw_completed',
          missing: ['ferritin'],
          failure: 'quantity_not_sufficient_failure',
          values: { hemoglobin: 10.2, mcv: 74, iron: 19, tibc: 468, ferritin: 6, rdw: 17.1 },
        }),
      ],
      insurances: [insured(210, 'TIDEW')],
      mindfulness: [sits('oura', 'ring', { evening: 0.8 })],
    }),
  },
  {
    name: 'olufemi',
    story:
      'Check identity: the laboratory has another birth date (4 August) than the clinic (8 April); PSA above its range.',
    plan: plan({
      person: olufemi,
      clientUserId: 'MRN-000156',
      createdOn: '2022-02-14T09:30:00Z',
      sources: ['withings', 'garmin'],
      orders: [
        order(33, ['cmp', 'psa', 'maleHormones'], {
          birthDateOnLab: '1960-08-04',
          values: { 'prostate-specific-antigen': 6.8 },
        }),
      ],
      insurances: [insured(365, 'GRTOK')],
      mindfulness: [sits('garmin', 'watch', { evening: 0.1 })],
    }),
  },
  {
    name: 'sunniva',
    story:
      'Critical potassium and falling kidney function over three orders; the latest order was recreated after a kit was lost.',
    plan: plan({
      person: sunniva,
      clientUserId: 'MRN-000162',
      createdOn: '2020-05-08T18:15:00Z',
      sources: ['polar'],
      orders: [
        order(900, ['cmp'], { values: { creatinine: 1.02 } }),
        order(500, ['cmp', 'cbc'], { values: { creatinine: 1.31, 'urea-nitrogen': 29 } }),
        order(21, ['cbc', 'cmp', 'inflammation'], {
          course: 'recreated',
          values: { creatinine: 1.84, 'urea-nitrogen': 38, potassium: 6.4, sodium: 138 },
        }),
      ],
      insurances: [insured(1200, 'LNTRN'), insured(1100, 'NWMUT', { isPrimary: false })],
    }),
  },
  {
    name: 'kabir',
    story:
      'Seventeen, insured through a parent; time zone +05:45; vitamin D low; one order only partly reported.',
    plan: plan({
      person: kabir,
      clientUserId: 'MRN-000175',
      createdOn: '2025-01-20T22:40:00Z',
      sources: ['quiet_minutes'],
      orders: [
        order(9, ['cmp', 'vitamins'], {
          course: 'partial',
          missing: ['folate'],
          failure: 'internal_lab_failure',
          values: { 'vitamin-d-25-hydroxy': 17.8 },
        }),
      ],
      insurances: [insured(180, 'CEDPT', { relationship: 'Other', subscriber: sarita })],
      mindfulness: [sits('quiet_minutes', 'app', { morning: 0.05, evening: 0.7 })],
    }),
  },
  {
    name: 'milo',
    story: 'Registered yesterday, so to speak: no source, no order, no insurance, no birth date.',
    plan: plan({
      person: milo,
      clientUserId: 'MRN-000189',
      createdOn: '2026-11-18T15:00:00Z',
      hasBirthDate: false,
      hasInfo: false,
    }),
  },
];

export const personaPlans: readonly UserPlan[] = personaDefinitions.map((role) => role.plan);
