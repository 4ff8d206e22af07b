import { type BiomarkerResult, instantOf, type LabOrderResult } from '@caregate/domain';
import type {
  MessagePlan,
  OrderPlan,
  RangePlan,
  ResultPlan,
  Time,
  ValuePlan,
} from './message-plan.testing.ts';
import { rangeText } from './message-text.testing.ts';
import type { ReportedOrder, SentAt } from './report.ts';

export interface Expected {
  readonly controlId: string;
  readonly sent: SentAt;
  readonly patient: object;
  readonly orders: readonly ExpectedOrder[];
}

interface ExpectedOrder {
  readonly placer: string | undefined;
  readonly filler: string | undefined;
  readonly order: ReportedOrder['order'];
  /** Of an order that had none. */
  readonly result: LabOrderResult;
}

/** What must be read of a message, without reading it. */
export function expectedOf(plan: MessagePlan): Expected {
  const { controlId, orders, person, sent } = plan;
  const { authority, birthDate, given, family, id } = person;
  return {
    controlId,
    sent: {
      us: instantOf(`${sent.local}${sent.offset ?? 'Z'}`),
      localUs: instantOf(`${sent.local}Z`),
      hasOffset: sent.offset !== undefined,
    },
    patient: {
      ids: [
        { id, authority: `not ${authority}`, field: 'PID-3' },
        { id, authority, field: 'PID-3' },
      ],
      ...{ birthDate, name: `${given} ${family}`, names: [`${given} ${family}`] },
    },
    orders: orders.map((order) => ({
      ...{ placer: order.placer, filler: order.filler, order: orderOf(order) },
      result: resultOf(order, plan),
    })),
  };
}

function orderOf({ notes = [], provider, test }: OrderPlan): ReportedOrder['order'] {
  return {
    ...(test !== undefined && { lab_test: { name: test } }),
    ...(provider !== undefined && {
      physician: {
        ...{ first_name: provider.given, last_name: provider.family },
        npi: provider.npi ?? null,
      },
    }),
    ...(notes.length > 0 && { notes: notes.join('\n') }),
  };
}

function resultOf(order: OrderPlan, plan: MessagePlan): LabOrderResult {
  const { laboratory, person, sent, version } = plan;
  const [year, month, day] = person.birthDate.split('-');
  const are = (...statuses: readonly string[]): ResultPlan[] =>
    order.results.filter(({ status }) => statuses.includes(status));
  const measured = are('F', 'C', 'P', 'R');
  const missing = are('X');
  const status =
    are('P', 'R').length > 0 || ['P', 'A'].includes(order.status ?? '')
      ? 'partial'
      : are('C').length > 0 || order.status === 'C'
        ? 'corrected'
        : measured.length + missing.length > 0
          ? 'final'
          : undefined;
  const metadata = {
    dob: `${day}/${month}/${year}`,
    clia_number: laboratory.clia,
    patient: `${person.given} ${person.family}`,
    provider: order.provider && `${order.provider.given} ${order.provider.family}`,
    laboratory: laboratory.name,
    date_collected: order.collected,
    date_received: order.received,
    date_reported: order.reported?.local.slice(0, 10),
    specimen_number: version.startsWith('2.5') ? order.specimen : undefined,
    status,
    interpretation: worstOf(measured),
  };
  return copied({
    metadata,
    results: measured.map((each) => measuredOf(each, order, sent.offset)),
    missing_results:
      missing.length === 0 ? undefined : missing.map((each) => missingOf(each, order)),
  }) as LabOrderResult;
}

function worstOf(results: readonly ResultPlan[]): string | undefined {
  const words = results.flatMap(({ flags = [] }) => FLAGS[flags.join('~')]?.interpretation ?? []);
  return words.length === 0
    ? undefined
    : words.includes('critical')
      ? 'critical'
      : words.every((word) => word === 'normal')
        ? 'normal'
        : 'abnormal';
}

function namesOf({ loinc, local, name, subId }: ResultPlan, order: OrderPlan): object {
  const slug = Array.from(name.normalize('NFKD').toLowerCase(), (sign) =>
    /\p{M}/u.test(sign) ? '' : /[\p{L}\p{N}]/u.test(sign) ? sign : ' ',
  );
  return {
    name,
    slug: slug.join('').split(' ').filter(Boolean).join('-') || name.toLowerCase(),
    ...{ loinc, provider_id: local, sub_id: subId, panel: panelOf(order) },
  };
}

function panelOf({ filler, test }: OrderPlan): object | undefined {
  const panel = { ...(test !== undefined && { code: 'PANEL', name: test }), number: filler };
  return test === undefined && filler === undefined ? undefined : panel;
}

function missingOf(result: ResultPlan, order: OrderPlan): object {
  const { result: text } = valueOf(result.value);
  return { ...namesOf(result, order), note: [text, ...(result.notes ?? [])].join('\n') };
}

function measuredOf(of: ResultPlan, order: OrderPlan, offset: string | undefined): object {
  const { analysed, flags = [], notes = [], observed, range, status, unit } = of;
  const at = analysed ?? observed ?? order.reported;
  return {
    ...namesOf(of, order),
    ...valueOf(of.value),
    unit,
    timestamp: at === undefined ? undefined : dateTime(at, offset),
    notes: notes.length === 0 ? undefined : notes.join('\n'),
    ...bounds(range),
    reference_range: range && rangeText(range),
    ...FLAGS[flags.join('~')],
    observation_status: { C: 'C', P: 'P', R: 'P' }[status],
  };
}

const FLAGS: Readonly<Record<string, Partial<BiomarkerResult>>> = {
  N: { interpretation: 'normal' },
  H: { interpretation: 'abnormal', is_above_max_range: true, is_below_min_range: false },
  L: { interpretation: 'abnormal', is_above_max_range: false, is_below_min_range: true },
  A: { interpretation: 'abnormal' },
  HH: { interpretation: 'critical', is_above_max_range: true, is_below_min_range: false },
  LL: { interpretation: 'critical', is_above_max_range: false, is_below_min_range: true },
  AA: { interpretation: 'critical' },
  POS: { interpretation: 'POS' },
  'HH~A': { interpretation: 'critical', is_above_max_range: true, is_below_min_range: false },
};

function dateTime({ local, offset }: Time, otherwise: string | undefined): string | undefined {
  const known = offset ?? otherwise;
  return known === undefined ? undefined : `${local}${known}`;
}

function bounds(range: RangePlan | undefined): object {
  if (range === undefined || 'text' in range) {
    return {};
  }
  const { low, high } = range;
  return {
    ...(low !== undefined && { min_range_value: Number(low) }),
    ...(high !== undefined && { max_range_value: Number(high) }),
  };
}

function valueOf(value: ValuePlan): Pick<BiomarkerResult, 'result' | 'value' | 'type'> {
  switch (value.as) {
    case 'NM':
      return value.text === 'TNTC'
        ? { result: value.text, type: 'coded_value' }
        : { result: value.text, value: Number(value.text), type: 'numeric' };
    case 'SN': {
      const [sign = '', number = '', ...rest] = value.parts;
      return rest.length === 0 && (sign === '' || sign === '=')
        ? { result: number, value: Number(number), type: 'numeric' }
        : { result: value.parts.join(''), type: 'range' };
    }
    case 'ST':
    case 'CE':
    case 'CWE':
      return { result: value.text, type: 'coded_value' };
    case 'TX':
    case 'FT':
      return { result: value.lines.join('\n'), type: 'comment' };
  }
}

/** Without members that are undefined, as the store would have it. */
function copied(of: object): unknown {
  return JSON.parse(JSON.stringify(of));
}
