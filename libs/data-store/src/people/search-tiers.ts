import type { PeopleQuery } from './people-query.ts';
import type { PersonFacts } from './person-facts.ts';
import {
  byRank,
  matchPerson,
  isNamed,
  nearId,
  soundsLike,
  unsignedId,
  type PersonHit,
} from './match-person.ts';
import {
  allPhoneTokens,
  bornToken,
  endOfIdTokens,
  idToken,
  nearIdTokens,
  partTokens,
  phoneTokens,
  prefixTokens,
  soundTokens,
  wordToken,
} from './person-tokens.ts';

/** A person must have one token of each list. */
export type TokenQuery = readonly (readonly number[])[];

export type LookUp = (tokens: TokenQuery, limit: number) => Promise<readonly PersonFacts[]>;

/** Compared per step: more than are ever shown. */
const COMPARED = 120;

export interface SearchedPeople {
  readonly hits: readonly PersonHit[];
  /** A lower bound if `more`. */
  readonly total: number;
  readonly more: boolean;
}

/** Goes from what meets a query best to what only sounds like it, until enough is found. Each step costs one look-up. */
export async function searchIndex(
  teamId: string,
  query: PeopleQuery,
  limit: number,
  lookUp: LookUp,
  seen: (facts: PersonFacts) => PersonFacts,
): Promise<SearchedPeople> {
  const hits = new Map<string, PersonHit>();
  const compareAll = (candidates: readonly PersonFacts[], compare: typeof matchPerson): void => {
    for (const candidate of candidates) {
      const hit = hits.has(candidate.userId) ? undefined : compare(query, seen(candidate));
      if (hit !== undefined) {
        hits.set(candidate.userId, hit);
      }
    }
  };
  const born = bornOn(teamId, query);
  if (born !== undefined) {
    const candidates = await lookUp([born], COMPARED);
    const more = candidates.length >= COMPARED;
    // If all people with this birth date were compared, nothing else is needed.
    if (!more || query.words.length === 0) {
      compareAll(candidates, matchPerson);
      if (hits.size === 0) {
        compareAll(candidates, soundsLike);
      }
      return ranked([...hits.values()], limit, more);
    }
  }
  const overflows: boolean[] = [];
  for (const { tokens, compare, narrows } of tiersOf(teamId, query)) {
    const isEnough = hits.size > limit && overflows.includes(true);
    if (isEnough || (compare !== matchPerson && hits.size > 0)) {
      break;
    }
    if (narrows === true) {
      if (overflows.at(-1) !== true) {
        continue;
      }
      overflows.pop();
    }
    const candidates = await lookUp(born === undefined ? tokens : [...tokens, born], COMPARED);
    overflows.push(candidates.length >= COMPARED);
    compareAll(candidates, compare);
  }
  return ranked([...hits.values()], limit, overflows.includes(true));
}

export function ranked(hits: readonly PersonHit[], limit: number, more = false): SearchedPeople {
  return { hits: hits.toSorted(byRank).slice(0, limit), total: hits.length, more };
}

interface Tier {
  readonly tokens: TokenQuery;
  readonly compare: typeof matchPerson;
  /** Subset of the step before: only needed if that one overflowed. */
  readonly narrows?: boolean;
}

function bornOn(team: string, { dates }: PeopleQuery): number[] | undefined {
  return dates.length === 0 ? undefined : dates.map((date) => bornToken(team, date));
}

function tiersOf(team: string, { text, words, dates, phone, ids }: PeopleQuery): Tier[] {
  const tiers: Tier[] = [];
  const add = (tokens: TokenQuery, compare = matchPerson): void => {
    if (tokens.length > 0 && tokens.every((list) => list.length > 0)) {
      tiers.push({ tokens, compare });
    }
  };
  const whole = ids.map((id) => idToken(team, id));
  add([whole]);
  const fewest = phoneTokens(team, phone).map((token) => [token]);
  add(fewest);
  const tokens = allPhoneTokens(team, phone).map((token) => [token]);
  // Equal for four or five digits.
  if (tokens.length > fewest.length) {
    tiers.push({ tokens, compare: matchPerson, narrows: true });
  }
  add(words.map((word) => [wordToken(team, word)]));
  add(words.flatMap((word) => prefixTokens(team, word).map((token) => [token])));
  add(words.flatMap((word) => anywhere(team, word).map((token) => [token])));
  if (dates.length === 0) {
    add([endOfIdTokens(team, text).filter((end) => !whole.includes(end))], unsignedId);
    add([nearIdTokens(team, text)], nearId);
  }
  add(
    words.map((word) => soundTokens(team, word)),
    soundsLike,
  );
  return tiers;
}

/** Too short for a part: must begin a word. */
function anywhere(team: string, word: string): number[] {
  const parts = partTokens(team, word);
  return parts.length === 0 ? prefixTokens(team, word) : parts;
}

/** Of a candidate, in an order of the engine that stays. */
export type CandidatePlace = number | string;

export interface Candidate {
  readonly facts: PersonFacts;
  readonly place: CandidatePlace;
}

/** In order, behind a candidate. */
export type LookUpBehind = (
  tokens: TokenQuery,
  after: CandidatePlace | undefined,
) => Promise<readonly Candidate[]>;

/** Behind a candidate of a tier. */
export interface NamedPlace {
  readonly tier: number;
  readonly after?: CandidatePlace | undefined;
  /** Somebody has matched. */
  readonly found: boolean;
}

export interface NamedPeople {
  readonly people: readonly { readonly userId: string; readonly place: NamedPlace }[];
  /** Undefined: these were the last. */
  readonly next: NamedPlace | undefined;
}

/** Each who matches, once, in an order that no import changes; who only sounds like it, where nobody matches. */
export async function everyoneNamed(
  teamId: string,
  query: PeopleQuery,
  { tier, after, found }: NamedPlace = { tier: 0, found: false },
  {
    lookUp,
    limit,
    seen,
  }: {
    readonly lookUp: LookUpBehind;
    readonly limit: number;
    readonly seen: (facts: PersonFacts) => PersonFacts;
  },
): Promise<NamedPeople> {
  const tiers = namedTiers(teamId, query);
  const [now, then] = tiers.slice(tier);
  const candidates = now === undefined ? [] : await lookUp(now.tokens, after);
  const people = candidates
    .filter(({ facts }) => now?.isMatch(seen(facts)))
    .map(({ facts: { userId }, place }) => ({
      userId,
      place: { tier, after: place, found: true },
    }));
  const isFound = found || people.length > 0;
  const next =
    candidates.length >= limit
      ? { tier, after: candidates.at(-1)?.place, found: isFound }
      : then === undefined || (then.isLast && isFound)
        ? undefined
        : { tier: tier + 1, found: isFound };
  return { people, next };
}

interface NamedTier {
  readonly tokens: TokenQuery;
  readonly isMatch: (facts: PersonFacts) => boolean;
  readonly isLast?: true;
}

function namedTiers(team: string, query: PeopleQuery): NamedTier[] {
  const { words } = query;
  const born = bornOn(team, query);
  const isMatch = (facts: PersonFacts): boolean => isNamed(query, facts);
  const tiers: NamedTier[] =
    words.length === 0
      ? [{ tokens: [], isMatch }]
      : [
          { tokens: words.flatMap((word) => anywhere(team, word).map((one) => [one])), isMatch },
          {
            tokens: words.map((word) => soundTokens(team, word)),
            isMatch: (facts) => soundsLike(query, facts) !== undefined,
            isLast: true,
          },
        ];
  return tiers
    .map((tier) => (born === undefined ? tier : { ...tier, tokens: [...tier.tokens, born] }))
    .filter(({ tokens }) => tokens.length > 0 && tokens.every((list) => list.length > 0));
}
