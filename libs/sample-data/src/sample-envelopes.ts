import type { ImportEnvelope } from '@caregate/domain';
import { buildInsuranceEnvelope } from './insurance.ts';
import { buildLabEnvelopes } from './labs/lab-results.ts';
import { buildOrderEnvelopes } from './labs/order-envelopes.ts';
import { drawMindfulnessEnvelopes } from './mindfulness.ts';
import { Random, hashText, toWords } from './random.ts';
import { parseInstant } from './time.ts';
import {
  STREAM,
  drawUserPlan,
  personaPlans,
  buildUserInfoEnvelope,
  buildUser,
} from './user-plan.ts';
import type { UserPlan } from './user-plan.ts';

export const sampleTeamId = '5a3c8f10-6d2b-4e7a-9c41-0f8b2d6e1a37';
/** A second team, for tests of team isolation. */
export const otherTeamId = 'c0de7e57-1b9f-4a60-8e22-7d4f3a915b06';
/** Default for `until`. It is a constant, so that the same options give the same bytes. */
export const sampleUntil = '2026-11-20T18:00:00Z';

export type SampleKind = ImportEnvelope['kind'];

export const sampleKinds: readonly SampleKind[] = [
  'user',
  'user_info',
  'order',
  'lab_result',
  'insurance',
  'mindfulness_minutes',
];

export interface SampleOptions {
  readonly users: number;
  /** Index of the first user, to generate a large sample in parts; 0 by default. */
  readonly first?: number;
  /** Seed of the random generator; 1 by default. */
  readonly seed?: number;
  readonly teamId?: string;
  /**
   * The date that counts as today: YYYY-MM-DD, a date-time with offset, or a Date; `sampleUntil` by default. IDs
   * don't depend on it.
   */
  readonly until?: string | Date;
  readonly kinds?: readonly SampleKind[];
  /** Days of mindfulness history; 60 by default. */
  readonly mindfulnessDays?: number;
  /** Whether the first users are the named personas; true by default. */
  readonly personas?: boolean;
}

interface Settings {
  readonly seedWords: readonly number[];
  readonly words: readonly number[];
  readonly teamId: string;
  readonly until: number;
  readonly kinds: ReadonlySet<SampleKind>;
  readonly mindfulnessDays: number;
  readonly personas: boolean;
}

/**
 * Yields the envelopes of one user after another. The same options give the same envelopes. Memory doesn't grow with
 * `users`. @throws RangeError
 */
export function sampleEnvelopes(options: SampleOptions): Generator<ImportEnvelope> {
  const settings = parseOptions(options);
  const first = options.first ?? 0;
  if (!isCount(options.users)) throw new RangeError('users must be a whole number, 0 or more');
  if (!isCount(first)) throw new RangeError('first must be a whole number, 0 or more');
  return generateEnvelopes(settings, first, options.users);
}

export function sampleUserEnvelopes(
  index: number,
  options: Omit<SampleOptions, 'users' | 'first'> = {},
): Generator<ImportEnvelope> {
  return sampleEnvelopes({ ...options, users: 1, first: index });
}

function* generateEnvelopes(
  settings: Settings,
  first: number,
  users: number,
): Generator<ImportEnvelope> {
  for (let index = first; index < first + users; index += 1)
    yield* generateUserEnvelopes(settings, index);
}

function* generateUserEnvelopes(settings: Settings, index: number): Generator<ImportEnvelope> {
  const { kinds, teamId, until } = settings;
  const createRandom = (...numbers: number[]): Random =>
    new Random(...settings.words, index, ...numbers);
  const random = createRandom(STREAM.user);
  // Drawn first, so that IDs depend on team, seed and index only.
  const userId = random.nextUuid();
  const plan = getPlan(settings, index, random, createRandom);
  if (kinds.has('user')) {
    yield { kind: 'user', user: buildUser(random, plan, userId, teamId, until) };
  }
  const owner = { teamId, userId, zone: plan.person.zone };
  if (kinds.has('user_info') && plan.hasInfo !== false) {
    yield buildUserInfoEnvelope(plan.person, owner, plan.createdOn);
  }
  if (kinds.has('order') || kinds.has('lab_result')) {
    let number = 0;
    for (const order of plan.orders(createRandom(STREAM.labs))) {
      if (order.stream === undefined) number += 1;
      const labs = createRandom(STREAM.labs, order.stream ?? number);
      const results = buildLabEnvelopes(labs, plan.person, order, owner, until);
      if (kinds.has('order')) {
        yield* buildOrderEnvelopes(results, order.panels, plan.person, order.course);
      }
      if (kinds.has('lab_result') && order.course !== 'awaited') yield* results;
    }
  }
  if (kinds.has('insurance')) {
    const own = createRandom(STREAM.insurance);
    for (const insurance of plan.insurances(own)) {
      yield buildInsuranceEnvelope(own, plan.person, insurance, owner, until);
    }
  }
  if (kinds.has('mindfulness_minutes')) {
    const own = createRandom(STREAM.mindfulness);
    for (const practice of plan.mindfulness(own)) {
      yield* drawMindfulnessEnvelopes(own, practice, owner, until, settings.mindfulnessDays);
    }
  }
}

function getPlan(
  settings: Settings,
  index: number,
  random: Random,
  createRandom: (...numbers: number[]) => Random,
): UserPlan {
  const persona = settings.personas ? personaPlans[index] : undefined;
  return (
    persona ??
    drawUserPlan(random, createRandom(STREAM.person), settings.seedWords, index, settings.until)
  );
}

function parseOptions(options: Omit<SampleOptions, 'users' | 'first'>): Settings {
  const { seed = 1, teamId = sampleTeamId, until = sampleUntil, mindfulnessDays = 60 } = options;
  if (!Number.isFinite(seed)) throw new RangeError('seed must be a number');
  if (!isCount(mindfulnessDays)) {
    throw new RangeError('mindfulnessDays must be a whole number, 0 or more');
  }
  const seedWords = toWords(seed);
  const instant = typeof until === 'string' ? parseInstant(until) : until.getTime();
  if (Number.isNaN(instant)) throw new RangeError('until must be a date');
  return {
    seedWords,
    words: [...seedWords, hashText(teamId)],
    teamId,
    until: instant,
    kinds: new Set(options.kinds ?? sampleKinds),
    mindfulnessDays,
    personas: options.personas ?? true,
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
