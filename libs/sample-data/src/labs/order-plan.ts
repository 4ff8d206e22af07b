import { panelKeys, panels as allPanels, type PanelKey } from './biomarker.ts';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import { computeAge, formatDate, DAY } from '../time.ts';

export type OrderCourse =
  | 'completed'
  | 'without_transaction'
  | 'corrected'
  | 'recreated'
  | 'partial'
  /** The specimen is at the laboratory, and no result has arrived. */
  | 'awaited'
  | 'redraw_pending'
  | 'redraw_completed';

export interface OrderPlan {
  readonly daysAgo: number;
  readonly panels: readonly PanelKey[];
  readonly course: OrderCourse;
  readonly abnormalShare: number;
  readonly values?: Readonly<Record<string, number>>;
  /** Slugs of tests without a result; random by default. */
  readonly missing?: readonly string[];
  readonly failure?: string;
  /** YYYY-MM-DD, if the laboratory has a different birth date than the clinic. */
  readonly birthDateOnLab?: string;
  /** Values by slug before a correction. They are imported before the corrected ones. */
  readonly before?: Readonly<Record<string, number>>;
  /** Number of the random stream; the order's index among the person's orders by default. */
  readonly stream?: number;
}

/** Longest time in days from the first collection to the report of the redraw. */
const REDRAW_DAYS = 30;
const REPORT_DAYS = 6;
const YEARS_BACK = 4;

const longAgo: readonly { readonly course: OrderCourse; readonly weight: number }[] = [
  { course: 'completed', weight: 76 },
  { course: 'without_transaction', weight: 8 },
  { course: 'redraw_completed', weight: 7 },
  { course: 'recreated', weight: 5 },
  { course: 'corrected', weight: 4 },
];

const recent: readonly { readonly course: OrderCourse; readonly weight: number }[] = [
  { course: 'completed', weight: 60 },
  { course: 'redraw_pending', weight: 25 },
  { course: 'partial', weight: 15 },
];

const health = [
  { share: 0.09, weight: 40 },
  { share: 0.23, weight: 40 },
  { share: 0.46, weight: 20 },
];

/** Draws one to three orders within four years, and none for one person in seven. */
export function drawOrderPlans(random: Random, person: Person, until: number): OrderPlan[] {
  const count = random.pickWeighted([
    { count: 0, weight: 14 },
    { count: 1, weight: 34 },
    { count: 2, weight: 28 },
    { count: 3, weight: 17 },
    { count: 4, weight: 5 },
    { count: 6, weight: 2 },
  ]).count;
  const { share } = random.pickWeighted(health);
  const plans: OrderPlan[] = [];
  for (let index = 0; index < count; index += 1) {
    const daysAgo = random.nextInteger(REPORT_DAYS, YEARS_BACK * 365);
    const age = computeAge(formatDate(until - daysAgo * DAY), person.birthDate);
    const panels = drawPanels(random, person, age);
    const { course } = random.pickWeighted(daysAgo > REDRAW_DAYS ? longAgo : recent);
    plans.push({ daysAgo, panels, course, abnormalShare: share });
  }
  return plans.sort((a, b) => b.daysAgo - a.daysAgo);
}

function drawPanels(random: Random, person: Person, age: number): PanelKey[] {
  const wanted = random.nextInteger(1, 5);
  const left = panelKeys.filter((key) => {
    const { sex = person.sex, from = 0 } = allPanels[key].suits ?? {};
    return sex === person.sex && age >= from;
  });
  const chosen = new Set<PanelKey>();
  while (chosen.size < wanted) {
    const options = left
      .filter((key) => !chosen.has(key))
      .map((key) => ({ key, weight: allPanels[key].weight }));
    chosen.add(random.pickWeighted(options).key);
  }
  // Keeps the laboratory's order of panels.
  return panelKeys.filter((key) => chosen.has(key));
}
