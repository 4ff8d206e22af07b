import type { FoundPerson, PersonMatch } from '@caregate/domain';
import type { PeopleQuery } from './people-query.ts';
import type { PersonFacts } from './person-facts.ts';
import {
  matchWordPart,
  matchWordStart,
  listFullNameTokens,
  toIdToken,
  isFoundBy,
  isSingleTypo,
  listSimilarIdTokens,
  listSoundTokens,
  listTokens,
  matchWord,
  type TokenQuery,
} from './search-tokens.ts';

/** Maximum number of people that are counted and sorted. */
export const MOST_COUNTED = 1000;

interface SearchStep {
  readonly matched: PersonMatch;
  readonly tokens: TokenQuery;
  /** Tokens of the words only. */
  readonly words: TokenQuery;
  /** Whether this step is only used if the previous ones found nobody. */
  readonly isFallback: boolean;
}

export interface SearchedPeople {
  readonly people: FoundPerson[];
  /** A lower bound if `more` is true. */
  readonly total: number;
  readonly more: boolean;
}

/** Returns the ways to find people, best first. */
function listSteps({ text, words, dates, phone, ids }: PeopleQuery): SearchStep[] {
  const birthDateTokens = dates.length === 0 ? [] : [dates.map((date) => `@${date}`)];
  const steps: SearchStep[] = [];
  const add = (matched: PersonMatch, keys: TokenQuery, nameTokens: TokenQuery = []): void => {
    const tokens = [...keys, ...nameTokens, ...birthDateTokens];
    if (tokens.length > 0 && tokens.every((list) => list.length > 0)) {
      const isFallback = matched === 'near_id' || matched === 'sound';
      steps.push({ matched, tokens, words: nameTokens, isFallback });
    }
  };
  for (const [at, id] of ids.entries()) {
    // The first word is the ID; the other words are a name.
    const others = at === 0 ? [] : words.filter((word) => !id.includes(word));
    add('id', [[toIdToken(id)]], others.map(matchWordPart));
  }
  if (phone !== '') {
    add('phone', [[`+${phone}`]]);
    add('phone', [[`+${phone}*`]]);
  }
  if (words.length > 0) {
    add('name', [listFullNameTokens(words)], words.map(matchWord));
    add('name', [], words.map(matchWord));
    add('name', [], words.map(matchWordStart));
    add('name', [], words.map(matchWordPart));
    if (dates.length === 0) {
      add('near_id', [listSimilarIdTokens(text)]);
    }
    add('sound', [], words.map(listSoundTokens));
  } else if (phone === '' && dates.length > 0) {
    add('birth_date', []);
  } else {
    add('near_id', [listSimilarIdTokens(text)]);
  }
  return steps;
}

/** Finds the first `limit` people who have the tokens and whom `filter` accepts, in order, and counts all of them. */
export type FindPeople = (
  step: SearchStep,
  limit: number,
  filter?: (facts: PersonFacts) => boolean,
) => Promise<{ readonly people: readonly PersonFacts[]; readonly total: number }>;

export async function searchPeople(
  query: PeopleQuery,
  limit: number,
  find: FindPeople,
): Promise<SearchedPeople> {
  const found = new Map<string, FoundPerson>();
  let total = 0;
  for (const step of listSteps(query)) {
    const isEnough = found.size >= limit && total >= MOST_COUNTED;
    if (isEnough || (step.isFallback && found.size > 0)) {
      break;
    }
    const isNear = ({ clientUserId = '' }: PersonFacts): boolean =>
      isSingleTypo(query.text, clientUserId);
    const next = await find(step, limit, step.matched === 'near_id' ? isNear : undefined);
    total = Math.max(total, next.total);
    const people = next.people
      .filter(({ userId }) => !found.has(userId))
      .map((facts) => toFoundPerson(query, step, facts));
    for (const person of people.toSorted(comparePeople)) {
      found.set(person.user_id, person);
    }
  }
  total = Math.max(total, found.size);
  return { people: [...found.values()].slice(0, limit), total, more: total >= MOST_COUNTED };
}

/** Searches people who are all in memory. */
export async function searchAmong(
  people: readonly PersonFacts[],
  query: PeopleQuery,
  limit: number,
): Promise<SearchedPeople> {
  if (query.uuid !== undefined) {
    const found = people.map((facts) => toFoundPerson(query, { matched: 'id', words: [] }, facts));
    return { people: found.slice(0, limit), total: found.length, more: false };
  }
  const searchable = people.map((facts) => ({ facts, tokens: listTokens(facts) }));
  return await searchPeople(query, limit, ({ tokens }, most, filter = () => true) => {
    const found = searchable.flatMap((each) =>
      isFoundBy(tokens, each.tokens) && filter(each.facts) ? [each.facts] : [],
    );
    return Promise.resolve({ people: found.slice(0, most), total: found.length });
  });
}

function comparePeople(one: FoundPerson, other: FoundPerson): number {
  return (
    compare(other.last_seen ?? '', one.last_seen ?? '') ||
    compare(one.name ?? '', other.name ?? '') ||
    compare(one.user_id, other.user_id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function toFoundPerson(
  { dates }: PeopleQuery,
  { matched, words }: Pick<SearchStep, 'matched' | 'words'>,
  { userId, clientUserId, facts }: PersonFacts,
): FoundPerson {
  const withName = facts.find(({ name }) => name !== undefined);
  const withBirthDate = facts.find(({ birthDate }) => birthDate !== undefined);
  const withPhone = facts.find(({ phone }) => phone !== undefined);
  const withTown = facts.find(({ town }) => town !== undefined);
  const matchedName = facts.find(
    (fact) => fact.name !== undefined && isFoundBy(words, listTokens({ userId, facts: [fact] })),
  )?.name;
  const matchedDate = facts.find(({ birthDate = '' }) => dates.includes(birthDate))?.birthDate;
  return {
    user_id: userId,
    ...(clientUserId === undefined ? {} : { client_user_id: clientUserId }),
    name: withName?.name ?? null,
    name_source: withName?.source ?? null,
    name_as_of: withName?.asOf ?? null,
    birth_date: withBirthDate?.birthDate ?? null,
    birth_date_source: withBirthDate?.source ?? null,
    phone: withPhone?.phone ?? null,
    phone_source: withPhone?.source ?? null,
    town: withTown?.town ?? null,
    town_source: withTown?.source ?? null,
    last_seen: findLastSeen(facts) ?? null,
    matched,
    ...(matchedName === undefined || matchedName === withName?.name
      ? {}
      : { matched_name: matchedName }),
    ...(matchedDate === undefined || dates.includes(withBirthDate?.birthDate ?? '')
      ? {}
      : { matched_birth_date: matchedDate }),
  };
}

export function findLastSeen(facts: PersonFacts['facts']): string | undefined {
  return facts
    .flatMap(({ asOf }) => asOf ?? [])
    .toSorted()
    .at(-1);
}

/** The last person of a page, after whom the next page starts. */
export interface NameCursor {
  readonly bySound: boolean;
  readonly after?: number | undefined;
}

export interface NameMatches {
  readonly people: readonly { readonly userId: string; readonly place: NameCursor }[];
  /** Undefined on the last page. */
  readonly next: NameCursor | undefined;
}

/**
 * Returns everyone who matches the words and birth dates, or matches by sound if nobody does. Imports during the
 * search don't make it miss anyone.
 */
export async function findEveryone(
  query: PeopleQuery,
  { bySound, after }: NameCursor = { bySound: false },
  limit: number,
  findAfter: (
    tokens: TokenQuery,
    after: number | undefined,
  ) => Promise<readonly { readonly userId: string; readonly number: number }[]>,
): Promise<NameMatches> {
  const steps = listSteps({ ...query, text: '', ids: [] });
  const step = bySound
    ? steps.find(({ matched }) => matched === 'sound')
    : steps.findLast(({ isFallback }) => !isFallback);
  const rows = step === undefined ? [] : await findAfter(step.tokens, after);
  const people = rows.map(({ userId, number }) => ({ userId, place: { bySound, after: number } }));
  const hasNoNameMatch = !bySound && after === undefined && people.length === 0;
  const next = people.length >= limit ? people.at(-1)?.place : undefined;
  return { people, next: hasNoNameMatch ? { bySound: true } : next };
}
