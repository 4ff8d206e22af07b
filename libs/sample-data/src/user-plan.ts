import type { User, UserInfoEnvelope } from '@caregate/domain';
import personaData from './data/personas.json' with { type: 'json' };
import knownSources from './data/sources.json' with { type: 'json' };
import { drawInsurancePlans } from './insurance.ts';
import type { InsurancePlan } from './insurance.ts';
import { drawOrderPlans } from './labs/order-plan.ts';
import type { OrderPlan } from './labs/order-plan.ts';
import { drawMindfulnessPlan } from './mindfulness.ts';
import type { MindfulnessPlan } from './mindfulness.ts';
import { drawPerson } from './person.ts';
import type { Person } from './person.ts';
import { Random } from './random.ts';
import { DAY, formatDate, formatDateTime, formatMicroseconds, parseInstant } from './time.ts';

/** Slugs of wearables and apps; the last two apps are fictional. `types` lists the sources of mindfulness minutes. */
interface KnownSource {
  readonly slug: string;
  readonly name: string;
  readonly weight: number;
  readonly types: readonly string[];
}

/** Each kind of data has its own random stream, so that leaving one out doesn't change the others. */
export const STREAM = { user: 1, person: 2, labs: 3, insurance: 4, mindfulness: 5 } as const;

export interface UserPlan {
  readonly person: Person;
  readonly clientUserId: string;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
  readonly hasBirthDate?: boolean;
  /** False if the clinic has no details about the user. */
  readonly hasInfo?: boolean;
  readonly sources: readonly KnownSource[];
  readonly orders: (random: Random) => readonly OrderPlan[];
  readonly insurances: (random: Random) => readonly InsurancePlan[];
  readonly mindfulness: (random: Random) => readonly MindfulnessPlan[];
}

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

interface PersonaData {
  readonly story: string;
  readonly person: Person;
  readonly clientUserId: string;
  readonly createdOn: string;
  readonly hasBirthDate: boolean;
  readonly hasInfo: boolean;
  readonly sources: readonly string[];
  readonly orders: readonly OrderPlan[];
  readonly insurances: readonly InsurancePlan[];
  readonly mindfulness: readonly MindfulnessPlan[];
}

/** Fictional people, always the same. They are the first users of every sample, in this order. */
export const personaDefinitions = Object.entries(personaData) as unknown as readonly (readonly [
  PersonaName,
  PersonaData,
])[];

export const personaPlans: readonly UserPlan[] = personaDefinitions.map(
  ([, { sources, orders, insurances, mindfulness, createdOn, ...plan }]) => ({
    ...plan,
    createdOn: parseInstant(createdOn),
    sources: sources.flatMap((slug) => knownSources.filter((source) => source.slug === slug)),
    orders: () => orders,
    insurances: () => insurances,
    mindfulness: () => mindfulness,
  }),
);

/** The named personas have lower chart numbers than the random users. */
const FIRST_CHART_NUMBER = 1000;

/**
 * Returns a medical record number such as `MRN-004217`. Numbers increase with the index, are unique and have gaps, as
 * in real clinics.
 */
function createChartNumber(seedWords: readonly number[], index: number): string {
  const gap = new Random(...seedWords, index).nextInteger(0, 6);
  return `MRN-${String(FIRST_CHART_NUMBER + index * 7 + gap).padStart(6, '0')}`;
}

export function drawUserPlan(
  random: Random,
  personRandom: Random,
  seedWords: readonly number[],
  index: number,
  until: number,
): UserPlan {
  const person = drawPerson(personRandom);
  const count = random.pickWeighted([
    { count: 0, weight: 15 },
    { count: 1, weight: 35 },
    { count: 2, weight: 27 },
    { count: 3, weight: 15 },
    { count: 4, weight: 8 },
  ]).count;
  const sources = drawSources(random, count);
  return {
    person,
    clientUserId: createChartNumber(seedWords, index),
    createdOn: until - Math.floor(random.nextFloat() * 6 * 365 * DAY) - DAY,
    sources,
    orders: (labs) => drawOrderPlans(labs, person, until),
    insurances: drawInsurancePlans,
    mindfulness: (own) => drawMindfulnessPlans(own, sources),
  };
}

export function buildUser(
  random: Random,
  plan: UserPlan,
  userId: string,
  teamId: string,
  until: number,
): User {
  const { createdOn, person, sources } = plan;
  const since = Math.max(until - createdOn, 0);
  const drawLaterTime = (): number => createdOn + Math.floor(random.nextFloat() * since);
  const slug = sources[0]?.slug ?? 'manual';
  const user: User = {
    user_id: userId,
    team_id: teamId,
    client_user_id: plan.clientUserId,
    created_on: formatMicroseconds(createdOn, random.nextInteger(0, 999)),
    connected_sources: sources.map((source) => ({
      created_on: formatDateTime(drawLaterTime()),
      // This address doesn't exist on purpose.
      source: {
        logo: `https://example.com/logos/${source.slug}.png`,
        name: source.name,
        slug: source.slug,
      },
    })),
    fallback_time_zone: {
      id: person.zone,
      source_slug: slug,
      updated_at: formatDateTime(drawLaterTime()),
    },
  };
  if (plan.hasBirthDate ?? random.nextBoolean(0.85)) {
    user.fallback_birth_date = {
      value: person.birthDate,
      source_slug: random.nextBoolean(0.7) ? slug : 'manual',
      updated_at: formatDateTime(drawLaterTime()),
    };
  }
  if (random.nextBoolean(0.2)) {
    user.ingestion_start = formatDate(createdOn - random.nextInteger(0, 365) * DAY);
    user.ingestion_end = random.nextBoolean(0.3) ? formatDate(drawLaterTime()) : null;
  }
  return user;
}

function drawSources(random: Random, count: number): KnownSource[] {
  const chosen: KnownSource[] = [];
  while (chosen.length < count) {
    const source = random.pickWeighted(knownSources);
    if (!chosen.includes(source)) chosen.push(source);
  }
  return chosen;
}

/** Three in four users with a mindfulness source have sessions. A phone and a watch of one provider are two streams. */
function drawMindfulnessPlans(random: Random, sources: readonly KnownSource[]): MindfulnessPlan[] {
  if (!random.nextBoolean(0.75)) return [];
  return sources.flatMap((source) =>
    source.types
      .filter((_type, position) => position === 0 || random.nextBoolean(0.3))
      .map((type) => drawMindfulnessPlan(random, source.slug, type)),
  );
}

export function buildUserInfoEnvelope(
  person: Person,
  owner: { readonly teamId: string; readonly userId: string },
  recordedAt: number,
): UserInfoEnvelope {
  const { home } = person;
  return {
    kind: 'user_info',
    team_id: owner.teamId,
    user_id: owner.userId,
    recorded_at: formatDateTime(recordedAt),
    info: {
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      phone_number: person.phone,
      gender: person.gender,
      dob: person.birthDate,
      address: {
        first_line: home.first_line,
        second_line: home.second_line ?? null,
        zip: home.zip_code,
        city: home.city,
        state: home.state,
        country: home.country,
      },
    },
  };
}
