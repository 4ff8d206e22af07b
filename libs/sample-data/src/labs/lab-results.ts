import type {
  BiomarkerResult,
  LabOrderResult,
  LabResultEnvelope,
  LaboratoryMembers,
  MissingBiomarkerResult,
} from '@caregate/domain';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import { DAY, MINUTE, ageOn, formatDate, formatDateTime, dayMonthYear } from '../time.ts';
import laboratory from '../data/laboratory.json' with { type: 'json' };
import {
  codedResult,
  computeFlags,
  missingResult,
  numericResult,
  panels,
  rangeFor,
  type Biomarker,
} from './biomarker.ts';
import { drawValues, notCalculable, standsAlone } from './values.ts';
import type { OrderPlan } from './order-plan.ts';
import { drawVisit, orderTransaction, type Visit } from './order-transaction.ts';

/** Fictional laboratories. No real CLIA number begins with the state code 99. */
const { laboratories, providers, failures } = laboratory;

const CALCULATION = 'missing_result_calc_failure';

/** Returns the results of one order: one envelope, or two after a redraw. */
export function labEnvelopes(
  random: Random,
  person: Person,
  plan: OrderPlan,
  owner: { readonly teamId: string; readonly userId: string },
  until: number,
): LabResultEnvelope[] {
  const ids = { transaction: random.uuid(), first: random.uuid(), second: random.uuid() };
  const today = until - (until % DAY);
  const visit = drawVisit(random, today - plan.daysAgo * DAY);
  const redraw =
    plan.course === 'redraw_completed'
      ? drawVisit(random, visit.reported - (visit.reported % DAY) + random.integer(7, 15) * DAY)
      : undefined;
  const transaction = orderTransaction(random, plan.course, ids, visit, redraw, until);
  const biomarkers = distinct(plan.panels.flatMap((key) => panels[key].biomarkers));
  const age = ageOn(formatDate(visit.collected), person.birthDate);
  const fixed = plan.values ?? {};
  const values = drawValues(random, biomarkers, person, age, plan.abnormalShare, fixed);
  const lab = random.pick(laboratories);
  const provider = random.pick(providers);
  const failure = random.pick(failures);

  const calculation = biomarkers.filter(
    (one) => one.kind === 'numeric' && (!values.has(one.slug) || notCalculable(one.slug, values)),
  );
  const failed = failedBiomarkers(random, plan, biomarkers).filter(
    (one) => !calculation.includes(one),
  );
  const missing = [
    ...failed.map((one) =>
      missingResult(one, plan.failure ?? failure.type, findNote(plan.failure) ?? failure.note),
    ),
    ...calculation.map((one) =>
      missingResult(one, CALCULATION, 'Not calculated: triglycerides above 400 mg/dL.'),
    ),
  ];

  const reportOn = (
    orderId: string,
    when: Visit,
    chosen: readonly Biomarker[],
    absent: MissingBiomarkerResult[],
    status: string,
  ): LabResultEnvelope => {
    const results = chosen.map((one): BiomarkerResult => {
      const timestamp = formatDateTime(when.reported - random.integer(0, 180) * MINUTE);
      const result =
        one.kind === 'numeric'
          ? numericResult(one, values.get(one.slug) ?? 0, rangeFor(one, person, age), timestamp)
          : codedResult(random, one, timestamp);
      return { ...result, ...findPanel(one, plan) };
    });
    const specimen = `${formatDate(when.collected).slice(2).replaceAll('-', '')}${random.digits(6)}`;
    const birthDate = plan.birthDateOnLab ?? person.birthDate;
    const collected = formatDate(when.collected);
    const result: LabOrderResult = {
      metadata: {
        age: ageOn(collected, birthDate),
        dob: dayMonthYear(birthDate),
        clia_number: lab.clia,
        patient: person.fullName,
        provider,
        laboratory: lab.name,
        date_reported: formatDate(when.reported),
        date_collected: collected,
        date_received: formatDate(when.received),
        specimen_number: specimen,
        status,
        interpretation: overall(results),
      },
      results,
      missing_results:
        absent.length > 0 ? absent.map((one) => ({ ...one, ...findPanel(one, plan) })) : null,
      sample_information: sampleInformation(random, plan, specimen, when),
      ...(transaction === undefined ? {} : { order_transaction: transaction }),
    };
    return {
      kind: 'lab_result',
      team_id: owner.teamId,
      user_id: owner.userId,
      order_id: orderId,
      result,
    };
  };

  const present = biomarkers.filter((one) => !failed.includes(one) && !calculation.includes(one));
  const waiting = plan.course === 'partial' || plan.course === 'redraw_pending';
  const firstId = plan.course === 'recreated' ? ids.second : ids.first;
  const first = reportOn(firstId, visit, present, missing, waiting ? 'partial' : 'final');
  const replaced = plan.before === undefined ? [] : [earlierVersion(first, visit, plan.before)];
  return redraw === undefined
    ? [...replaced, first]
    : [first, reportOn(ids.second, redraw, failed, [], 'final')];
}

function findPanel({ slug }: { readonly slug: string }, plan: OrderPlan): LaboratoryMembers {
  const key = plan.panels.find((each) =>
    panels[each].biomarkers.some((biomarker) => biomarker.slug === slug),
  );
  return key === undefined ? {} : { panel: { name: panels[key].name } };
}

function earlierVersion(
  envelope: LabResultEnvelope,
  { reported }: Visit,
  before: Readonly<Record<string, number>>,
): LabResultEnvelope {
  const { result } = envelope;
  const results = result.results.map((one): BiomarkerResult => {
    const value = before[one.slug];
    return value === undefined ? one : { ...one, ...readAgain(one, value) };
  });
  const transaction = result.order_transaction;
  return {
    ...envelope,
    result: {
      ...result,
      metadata: { ...result.metadata, interpretation: overall(results) },
      results,
      ...(transaction && {
        order_transaction: {
          ...transaction,
          orders: transaction.orders.map((order) => ({
            ...order,
            low_level_status: 'completed',
            low_level_status_created_at: formatDateTime(reported),
            updated_at: formatDateTime(reported),
          })),
        },
      }),
    },
  };
}

function readAgain(one: BiomarkerResult, value: number): Partial<BiomarkerResult> {
  const range = [one.min_range_value ?? null, one.max_range_value ?? null] as const;
  return { value, result: String(value), ...computeFlags(value, range) };
}

function failedBiomarkers(random: Random, plan: OrderPlan, all: readonly Biomarker[]): Biomarker[] {
  if (plan.missing !== undefined) return all.filter((one) => plan.missing?.includes(one.slug));
  // Excludes calculated values and their inputs, so that every report is consistent.
  const alone = all.filter(({ slug }) => standsAlone(slug));
  if (alone.length === 0) return [];
  switch (plan.course) {
    case 'partial':
    case 'redraw_pending':
    case 'redraw_completed':
      return random.sample(alone, random.integer(1, Math.min(4, alone.length)));
    case 'completed':
    case 'without_transaction':
    case 'corrected':
    case 'recreated':
    case 'awaited':
      return random.chance(0.06) ? random.sample(alone, 1) : [];
  }
}

function findNote(failure: string | undefined): string | undefined {
  return failures.find((one) => one.type === failure)?.note;
}

function overall(results: readonly BiomarkerResult[]): string {
  const found = results.map((one) => one.interpretation);
  if (found.includes('critical')) return 'critical';
  return found.includes('abnormal') ? 'abnormal' : 'normal';
}

function distinct(biomarkers: readonly Biomarker[]): Biomarker[] {
  return [...new Map(biomarkers.map((one) => [one.slug, one])).values()];
}

function sampleInformation(
  random: Random,
  plan: OrderPlan,
  specimen: string,
  visit: Visit,
): Record<string, unknown> {
  const fasting = random.chance(0.6);
  const kinds = [...new Set(plan.panels.map((key) => panels[key].specimen))];
  return Object.fromEntries(
    kinds.map((kind, index) => [
      `${specimen}-${index + 1}`,
      {
        sample_id: `${specimen}-${index + 1}`,
        specimen_type: kind,
        volume: { value: random.integer(10, 85) / 10, unit: 'mL' },
        collected_at: formatDateTime(visit.collected),
        received_at: formatDateTime(visit.received),
        fasting,
        panels: plan.panels
          .filter((key) => panels[key].specimen === kind)
          .map((key) => panels[key].name),
      },
    ]),
  );
}
