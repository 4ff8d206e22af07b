import type { InsuranceEnvelope } from '@caregate/domain';
import { drawSubscriber } from './person.ts';
import type { Person } from './person.ts';
import type { Random } from './random.ts';
import { DAY, MINUTE, dateTimeOf } from './time.ts';

/** One record of insurance, of which the later holds. */
export interface InsurancePlan {
  readonly daysAgo: number;
  readonly isPrimary: boolean;
  readonly payor: string;
  readonly relationship: string;
  /** Who holds it, where that is given rather than drawn. */
  readonly subscriber?: Person;
}

/** Payors that do not exist, by their codes. */
const companies = {
  NWMUT: company('Northwind Mutual', '100 Marzipan Court', 'Boston', 'MA', '02110'),
  BHERN: company('Blue Heron Health', '22 Lanternfish Way', 'Chicago', 'IL', '60601'),
  CEDPT: company('Cedar Point Assurance', '7 Thistledown Terrace', 'Denver', 'CO', '80202'),
  LNTRN: company('Lantern Community Plan', '310 Foxglove Steps', 'Seattle', 'WA', '98101'),
  SHRBR: company('Sun Harbor', '18 Saltmarsh Crescent', 'Miami', 'FL', '33101'),
  GRTOK: company('Great Oak Benefit', '5 Old Tannery Row', 'Atlanta', 'GA', '30303'),
  TIDEW: company('Tidewater Preferred', '64 Pebblegate Street', 'New York', 'NY', '10004'),
};
const payors: readonly string[] = Object.keys(companies);

/**
 * The payor as the public API tells it (`company`). The interface document does not know it; it is imported data, since
 * the SDKs of the public API require it and the service makes nothing up.
 *
 * @param payor code of one of the {@link payors}
 */
export function companyOf(payor: string): object {
  const found = Object.entries(companies).find(([code]) => code === payor)?.[1];
  if (found === undefined) throw new Error(`There is no payor ${payor}`);
  return found;
}

function company(name: string, first_line: string, city: string, state: string, zip: string) {
  return { name, address: { first_line, second_line: null, city, state, zip, country: 'US' } };
}

/** Most have one record; some had another before it, some a second insurance beside it, one in seven none. */
export function drawInsurancePlans(random: Random): InsurancePlan[] {
  if (random.chance(0.14)) return [];
  const relationship = random.weighted([
    { name: 'Self', weight: 72 },
    { name: 'Spouse', weight: 19 },
    { name: 'Other', weight: 9 },
  ]).name;
  const current = random.whole(5, 900);
  const plans = [{ daysAgo: current, isPrimary: true, payor: random.pick(payors), relationship }];
  if (random.chance(0.25)) {
    const daysAgo = current + random.whole(300, 1200);
    plans.unshift({ daysAgo, isPrimary: true, payor: random.pick(payors), relationship: 'Self' });
  }
  if (random.chance(0.12)) {
    const daysAgo = random.whole(5, 700);
    plans.push({ daysAgo, isPrimary: false, payor: random.pick(payors), relationship: 'Spouse' });
  }
  return plans;
}

export function insuranceEnvelope(
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
  const recordedAt = dateTimeOf(until - plan.daysAgo * DAY - random.whole(0, 480) * MINUTE);
  const insurance = {
    payor_code: plan.payor,
    member_id: `${plan.payor.slice(0, 3)}${random.digits(9)}`,
    group_id: random.chance(0.85) ? `GRP-${random.digits(5)}` : null,
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
    company: companyOf(plan.payor),
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
