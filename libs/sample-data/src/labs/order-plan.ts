import { panelKeys, panels as allPanels, type PanelKey } from './biomarker.ts';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import { ageOn, calendarDateOf, DAY } from '../time.ts';

export type OrderCourse =
  | 'completed'
  | 'without_transaction'
  | 'corrected'
  | 'recreated'
  | 'partial'
  /** At the laboratory, no result yet. */
  | 'awaited'
  | 'redraw_pending'
  | 'redraw_completed';

export interface OrderPlan {
  readonly daysAgo: number;
  readonly panels: readonly PanelKey[];
  readonly course: OrderCourse;
  readonly abnormalShare: number;
  readonly values?: Readonly<Record<string, number>>;
  /** Slugs without a result; default: random. */
  readonly missing?: readonly string[];
  readonly failure?: string;
  /** YYYY-MM-DD, if the laboratory has a different birth date. */
  readonly birthDateOnLab?: string;
  /** Values by slug before a correction; imported first. */
  readonly before?: Readonly<Record<string, number>>;
  /** Random stream; default: index among the person's orders. */
  readonly stream?: number;
}

/** Days a redraw takes at most, from the first collection to its own report. */
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

/** One to three orders in four years, none for one in seven. */
export function drawOrderPlans(random: Random, person: Person, until: number): OrderPlan[] {
  const count = random.weighted([
    { count: 0, weight: 14 },
    { count: 1, weight: 34 },
    { count: 2, weight: 28 },
    { count: 3, weight: 17 },
    { count: 4, weight: 5 },
    { count: 6, weight: 2 },
  ]).count;
  const { share } = random.weighted(health);
  const plans: OrderPlan[] = [];
  for (let index = 0; index < count; index += 1) {
    const daysAgo = random.whole(REPORT_DAYS, YEARS_BACK * 365);
    const age = ageOn(calendarDateOf(until - daysAgo * DAY), person.birthDate);
    const panels = drawPanels(random, person, age);
    const { course } = random.weighted(daysAgo > REDRAW_DAYS ? longAgo : recent);
    plans.push({ daysAgo, panels, course, abnormalShare: share });
  }
  return plans.sort((a, b) => b.daysAgo - a.daysAgo);
}

function drawPanels(random: Random, person: Person, age: number): PanelKey[] {
  const wanted = random.whole(1, 5);
  const left = panelKeys.filter((key) => {
    const { sex = person.sex, from = 0 } = allPanels[key].suits ?? {};
    return sex === person.sex && age >= from;
  });
  const chosen = new Set<PanelKey>();
  while (chosen.size < wanted) {
    const options = left
      .filter((key) => !chosen.has(key))
      .map((key) => ({ key, weight: allPanels[key].weight }));
    chosen.add(random.weighted(options).key);
  }
  // In the laboratory's order.
  return panelKeys.filter((key) => chosen.has(key));
}
