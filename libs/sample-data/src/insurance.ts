import type { InsuranceEnvelope } from '@caregate/domain';
import payorData from './data/payors.json' with { type: 'json' };
import { drawSubscriber } from './person.ts';
import type { Person } from './person.ts';
import type { Random } from './random.ts';
import { DAY, MINUTE, formatDateTime } from './time.ts';

export interface InsurancePlan {
  readonly daysAgo: number;
  readonly isPrimary: boolean;
  readonly payor: string;
  readonly relationship: string;
  readonly subscriber?: Person;
}

/** Fictional payors by code. The interface document doesn't have `company`, but the public API's SDKs require it. */
const companies: Readonly<Record<string, object>> = payorData;
const payors: readonly string[] = Object.keys(companies);

/** Draws one record for most people, an earlier or a secondary one for some, and none for one in seven. */
export function drawInsurancePlans(random: Random): InsurancePlan[] {
  if (random.nextBoolean(0.14)) return [];
  const relationship = random.pickWeighted([
    { name: 'Self', weight: 72 },
    { name: 'Spouse', weight: 19 },
    { name: 'Other', weight: 9 },
  ]).name;
  const current = random.nextInteger(5, 900);
  const plans = [{ daysAgo: current, isPrimary: true, payor: random.pick(payors), relationship }];
  if (random.nextBoolean(0.25)) {
    const daysAgo = current + random.nextInteger(300, 1200);
    plans.unshift({ daysAgo, isPrimary: true, payor: random.pick(payors), relationship: 'Self' });
  }
  if (random.nextBoolean(0.12)) {
    const daysAgo = random.nextInteger(5, 700);
    plans.push({ daysAgo, isPrimary: false, payor: random.pick(payors), relationship: 'Spouse' });
  }
  return plans;
}

export function buildInsuranceEnvelope(
  random: Random,
  person: Person,
  plan: InsurancePlan,
  owner: { readonly teamId: string; readonly userId: string },
  until: number,
): InsuranceEnvelope {
  const insured =
    plan.subscriber ??
    (plan.relationship === 'Self'
      ? person
      : drawSubscriber(random, person, plan.relationship === 'Spouse' ? 'partner' : 'kin'));
  const recordedAt = formatDateTime(
    until - plan.daysAgo * DAY - random.nextInteger(0, 480) * MINUTE,
  );
  const insurance = {
    payor_code: plan.payor,
    member_id: `${plan.payor.slice(0, 3)}${random.nextDigits(9)}`,
    group_id: random.nextBoolean(0.85) ? `GRP-${random.nextDigits(5)}` : null,
    relationship: plan.relationship,
    insured: {
      first_name: insured.firstName,
      last_name: insured.lastName,
      email: insured.email,
      phone_number: insured.phone,
      gender: insured.gender,
      dob: insured.birthDate,
      address: { ...insured.home },
    },
    company: companies[plan.payor],
  };
  return {
    kind: 'insurance',
    team_id: owner.teamId,
    user_id: owner.userId,
    recorded_at: recordedAt,
    is_primary: plan.isPrimary,
    insurance,
  };
}
