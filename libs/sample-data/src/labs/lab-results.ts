import type {
  BiomarkerResult,
  LabOrderResult,
  LabResultEnvelope,
  LaboratoryMembers,
  MissingBiomarkerResult,
} from '@caregate/domain';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import {
  DAY,
  MINUTE,
  computeAge,
  formatDate,
  formatDateTime,
  formatDayMonthYear,
} from '../time.ts';
import laboratory from '../data/laboratory.json' with { type: 'json' };
import {
  drawCodedResult,
  computeFlags,
  buildMissingResult,
  buildNumericResult,
  panels,
  getRange,
  type Biomarker,
} from './biomarker.ts';
import { drawValues, isNotCalculable, isIndependent } from './values.ts';
import type { OrderPlan } from './order-plan.ts';
import { drawVisit, drawOrderTransaction, type Visit } from './order-transaction.ts';

/** Fictional laboratories. No real CLIA number begins with the state code 99. */
const { laboratories, providers, failures } = laboratory;

const CALCULATION = 'missing_result_calc_failure';

/** Returns the results of one order: one envelope, or two after a redraw. */
export function buildLabEnvelopes(
  random: Random,
  person: Person,
  plan: OrderPlan,
  owner: { readonly teamId: string; readonly userId: string },
  until: number,
): LabResultEnvelope[] {
  const ids = {
    transaction: random.nextUuid(),
    first: random.nextUuid(),
    second: random.nextUuid(),
  };
  const today = until - (until % DAY);
  const visit = drawVisit(random, today - plan.daysAgo * DAY);
  const redraw =
    plan.course === 'redraw_completed'
      ? drawVisit(random, visit.reported - (visit.reported % DAY) + random.nextInteger(7, 15) * DAY)
      : undefined;
  const transaction = drawOrderTransaction(random, plan.course, ids, visit, redraw, until);
  const biomarkers = removeDuplicates(plan.panels.flatMap((key) => panels[key].biomarkers));
  const age = computeAge(formatDate(visit.collected), person.birthDate);
  const fixed = plan.values ?? {};
  const values = drawValues(random, biomarkers, person, age, plan.abnormalShare, fixed);
  const lab = random.pick(laboratories);
  const provider = random.pick(providers);
  const failure = random.pick(failures);

  const calculation = biomarkers.filter(
    (one) => one.kind === 'numeric' && (!values.has(one.slug) || isNotCalculable(one.slug, values)),
  );
  const failed = drawFailedBiomarkers(random, plan, biomarkers).filter(
    (one) => !calculation.includes(one),
  );
  const missing = [
    ...failed.map((one) =>
      buildMissingResult(one, plan.failure ?? failure.type, findNote(plan.failure) ?? failure.note),
    ),
    ...calculation.map((one) =>
      buildMissingResult(one, CALCULATION, 'Not calculated: triglycerides above 400 mg/dL.'),
    ),
  ];

  const buildReport = (
    orderId: string,
    when: Visit,
    chosen: readonly Biomarker[],
    absent: MissingBiomarkerResult[],
    status: string,
  ): LabResultEnvelope => {
    const results = chosen.map((one): BiomarkerResult => {
      const timestamp = formatDateTime(when.reported - random.nextInteger(0, 180) * MINUTE);
      const result =
        one.kind === 'numeric'
          ? buildNumericResult(
              one,
              values.get(one.slug) ?? 0,
              getRange(one, person, age),
              timestamp,
            )
          : drawCodedResult(random, one, timestamp);
      return { ...result, ...findPanel(one, plan) };
    });
    const specimen = `${formatDate(when.collected).slice(2).replaceAll('-', '')}${random.nextDigits(6)}`;
    const birthDate = plan.birthDateOnLab ?? person.birthDate;
    const collected = formatDate(when.collected);
    const result: LabOrderResult = {
      metadata: {
        age: computeAge(collected, birthDate),
        dob: formatDayMonthYear(birthDate),
        clia_number: lab.clia,
        patient: person.fullName,
        provider,
        laboratory: lab.name,
        date_reported: formatDate(when.reported),
        date_collected: collected,
        date_received: formatDate(when.received),
        specimen_number: specimen,
        status,
        interpretation: getOverallInterpretation(results),
      },
      results,
      missing_results:
        absent.length > 0 ? absent.map((one) => ({ ...one, ...findPanel(one, plan) })) : null,
      sample_information: buildSampleInformation(random, plan, specimen, when),
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
  const first = buildReport(firstId, visit, present, missing, waiting ? 'partial' : 'final');
  const replaced =
    plan.before === undefined ? [] : [buildEarlierVersion(first, visit, plan.before)];
  return redraw === undefined
    ? [...replaced, first]
    : [first, buildReport(ids.second, redraw, failed, [], 'final')];
}

function findPanel({ slug }: { readonly slug: string }, plan: OrderPlan): LaboratoryMembers {
  const key = plan.panels.find((each) =>
    panels[each].biomarkers.some((biomarker) => biomarker.slug === slug),
  );
  return key === undefined ? {} : { panel: { name: panels[key].name } };
}

function buildEarlierVersion(
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
      metadata: { ...result.metadata, interpretation: getOverallInterpretation(results) },
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

function drawFailedBiomarkers(
  random: Random,
  plan: OrderPlan,
  all: readonly Biomarker[],
): Biomarker[] {
  if (plan.missing !== undefined) return all.filter((one) => plan.missing?.includes(one.slug));
  // Excludes calculated values and their inputs, so that every report is consistent.
  const alone = all.filter(({ slug }) => isIndependent(slug));
  if (alone.length === 0) return [];
  switch (plan.course) {
    case 'partial':
    case 'redraw_pending':
    case 'redraw_completed':
      return random.sample(alone, random.nextInteger(1, Math.min(4, alone.length)));
    case 'completed':
    case 'without_transaction':
    case 'corrected':
    case 'recreated':
    case 'awaited':
      return random.nextBoolean(0.06) ? random.sample(alone, 1) : [];
  }
}

function findNote(failure: string | undefined): string | undefined {
  return failures.find((one) => one.type === failure)?.note;
}

function getOverallInterpretation(results: readonly BiomarkerResult[]): string {
  const found = results.map((one) => one.interpretation);
  if (found.includes('critical')) return 'critical';
  return found.includes('abnormal') ? 'abnormal' : 'normal';
}

function removeDuplicates(biomarkers: readonly Biomarker[]): Biomarker[] {
  return [...new Map(biomarkers.map((one) => [one.slug, one])).values()];
}

function buildSampleInformation(
  random: Random,
  plan: OrderPlan,
  specimen: string,
  visit: Visit,
): Record<string, unknown> {
  const fasting = random.nextBoolean(0.6);
  const kinds = [...new Set(plan.panels.map((key) => panels[key].specimen))];
  return Object.fromEntries(
    kinds.map((kind, index) => [
      `${specimen}-${index + 1}`,
      {
        sample_id: `${specimen}-${index + 1}`,
        specimen_type: kind,
        volume: { value: random.nextInteger(10, 85) / 10, unit: 'mL' },
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
