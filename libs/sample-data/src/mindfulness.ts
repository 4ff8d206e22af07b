import type { MindfulnessMinutesEnvelope, MindfulnessMinutesPoint } from '@caregate/domain';
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';
import { formatDateTimeInZone, toInstant, getLocalMidnight } from './zones.ts';

export interface MindfulnessPlan {
  readonly provider: string;
  readonly type: string;
  /** Probability of a session on a working day, for each time of day. */
  readonly morning: number;
  readonly noon: number;
  readonly evening: number;
  readonly weekend: number;
  readonly minutes: number;
  readonly wholeMinutes: boolean;
}

const POINTS_PER_ENVELOPE = 500;

export function drawMindfulnessPlan(
  random: Random,
  provider: string,
  type: string,
): MindfulnessPlan {
  const habit = random.nextBetween(0.1, 0.8);
  const morningPerson = random.nextBoolean(0.5);
  return {
    provider,
    type,
    morning: habit * (morningPerson ? 1 : 0.35),
    noon: habit * 0.15,
    evening: habit * (morningPerson ? 0.3 : 0.9),
    weekend: random.nextBetween(0.4, 1.3),
    minutes: random.pick([3, 5, 5, 10, 10, 10, 15, 20, 30]),
    wholeMinutes: type === 'app' || provider === 'fitbit',
  };
}

export function* drawMindfulnessEnvelopes(
  random: Random,
  plan: MindfulnessPlan,
  owner: { readonly teamId: string; readonly userId: string; readonly zone: string },
  until: number,
  days: number,
): Generator<MindfulnessMinutesEnvelope> {
  const wrap = (data: MindfulnessMinutesPoint[]): MindfulnessMinutesEnvelope => ({
    kind: 'mindfulness_minutes',
    team_id: owner.teamId,
    user_id: owner.userId,
    source: { provider: plan.provider, type: plan.type },
    data,
  });
  const today = getLocalMidnight(owner.zone, until);
  let data: MindfulnessMinutesPoint[] = [];
  for (let ago = days; ago >= 0; ago -= 1) {
    for (const point of drawDay(random, plan, owner.zone, today - ago * DAY, until)) {
      data.push(point);
      if (data.length === POINTS_PER_ENVELOPE) {
        yield wrap(data);
        data = [];
      }
    }
  }
  if (data.length > 0) yield wrap(data);
}

/** Yields the sessions of one local day. `midnight` is its local start as if it were UTC. */
function* drawDay(
  random: Random,
  plan: MindfulnessPlan,
  zone: string,
  midnight: number,
  until: number,
): Generator<MindfulnessMinutesPoint> {
  const weekday = new Date(midnight).getUTCDay();
  const factor = weekday === 0 || weekday === 6 ? plan.weekend : 1;
  const times = [
    { chance: plan.morning, from: 5.25, to: 9.5 },
    { chance: plan.noon, from: 11.75, to: 14.25 },
    { chance: plan.evening, from: 19.5, to: 23.98 },
  ];
  for (const { chance, from, to } of times) {
    if (!random.nextBoolean(chance * factor)) continue;
    const local = midnight + Math.floor((random.nextNearMiddle(from, to) * HOUR) / SECOND) * SECOND;
    const start = toInstant(zone, local);
    const length = plan.minutes * random.nextNearMiddle(0.5, 1.5);
    const seconds = plan.wholeMinutes
      ? Math.max(1, Math.round(length)) * 60
      : Math.round(length * 60);
    const end = start + seconds * SECOND;
    if (end > until) continue;
    yield {
      start: formatDateTimeInZone(zone, start),
      end: formatDateTimeInZone(zone, end),
      unit: 'min',
      value: Number(((end - start) / MINUTE).toFixed(2)),
    };
  }
}
