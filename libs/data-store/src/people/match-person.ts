import type { FoundPerson, PersonMatch } from '@caregate/domain';
import { digitsOf, isDense, soundsOf, spellingsOf, wordsOf } from './name-text.ts';
import type { PeopleQuery } from './people-query.ts';
import type { PersonFacts } from './person-facts.ts';
import { idFormsOf, withoutSigns } from './person-tokens.ts';

export interface PersonHit {
  readonly person: FoundPerson;
  readonly score: number;
}

interface Match {
  readonly matched: PersonMatch;
  readonly score: number;
  readonly name?: string | undefined;
}

/** How well a name has a word. */
const LEVEL = { whole: 3, prefix: 2, part: 1 } as const;

export function matchPerson(query: PeopleQuery, facts: PersonFacts): PersonHit | undefined {
  const match = idMatch(query, facts) ?? otherMatch(query, facts);
  return match && { person: found(query, facts, match), score: match.score };
}

export function soundsLike(query: PeopleQuery, facts: PersonFacts): PersonHit | undefined {
  if (query.words.length === 0 || !bornThen(query, facts)) {
    return undefined;
  }
  const sounds = query.words.map(soundsOf);
  for (const { name } of facts.facts) {
    const words = name === undefined ? [] : spellingsOf(name);
    const heard = words.map((word) => ({ word, codes: soundsOf(word) }));
    const likeness = sounds.map((codes, at) =>
      Math.max(
        0,
        ...heard
          .filter((each) => each.codes.some((code) => codes.includes(code)))
          .map(({ word }) => 0.01 + alike(query.words[at] ?? '', word)),
      ),
    );
    if (likeness.every((each) => each > 0)) {
      const score = likeness.reduce((sum, each) => sum + each, 0) / likeness.length;
      const person = found(query, facts, { matched: 'sound', score, name });
      return { person, score };
    }
  }
  return undefined;
}

/** Matches an id that is written with other signs, or none. */
export function unsignedId(query: PeopleQuery, facts: PersonFacts): PersonHit | undefined {
  return idWithSlips(0, 'id', query, facts);
}

export function nearId(query: PeopleQuery, facts: PersonFacts): PersonHit | undefined {
  return idWithSlips(1, 'near_id', query, facts);
}

function idWithSlips(
  slips: number,
  matched: PersonMatch,
  query: PeopleQuery,
  facts: PersonFacts,
): PersonHit | undefined {
  const [typed, own] = [query.text, facts.clientUserId ?? ''].map(withoutSigns);
  return slipsBetween(typed ?? '', own ?? '') === slips
    ? { person: found(query, facts, { matched, score: 9 }), score: 9 }
    : undefined;
}

/** A letter that is wrong, missing or too many, or two that changed places; 2 for any more. */
function slipsBetween(one: string, other: string): 0 | 1 | 2 {
  let start = 0;
  while (start < one.length && one[start] === other[start]) {
    start += 1;
  }
  const [mine, theirs] = [one.slice(start), other.slice(start)];
  if (mine === theirs) {
    return 0;
  }
  const isSlip =
    mine.slice(1) === theirs.slice(1) ||
    mine.slice(1) === theirs ||
    mine === theirs.slice(1) ||
    `${mine.charAt(1)}${mine.charAt(0)}${mine.slice(2)}` === theirs;
  return isSlip ? 1 : 2;
}

export function byRank(one: PersonHit, other: PersonHit): number {
  return (
    other.score - one.score ||
    compare(other.person.last_seen ?? '', one.person.last_seen ?? '') ||
    compare(one.person.name ?? '', other.person.name ?? '') ||
    compare(one.person.user_id, other.person.user_id)
  );
}

function idMatch(query: PeopleQuery, facts: PersonFacts): Match | undefined {
  if (query.uuid !== undefined) {
    return { matched: 'id', score: 10 };
  }
  const own = facts.clientUserId === undefined ? [] : idFormsOf(facts.clientUserId);
  const at = Math.min(...query.ids.map((id) => own.indexOf(id)).filter((place) => place >= 0));
  if (!Number.isFinite(at) || !bornThen(query, facts)) {
    return undefined;
  }
  // With a name, both must match the same person.
  const isWhole = query.words.length === 0 || own[0] === query.ids[0];
  const named = isWhole ? undefined : nameMatch(query, facts);
  return isWhole || named !== undefined ? { matched: 'id', score: 9 - at } : undefined;
}

function otherMatch(query: PeopleQuery, facts: PersonFacts): Match | undefined {
  if (query.words.length > 0) {
    return bornThen(query, facts) ? nameMatch(query, facts) : undefined;
  }
  if (query.dates.length > 0) {
    return bornThen(query, facts) ? { matched: 'birth_date', score: 3 } : undefined;
  }
  const { phone } = query;
  const numbers = facts.facts.map((fact) => digitsOf(fact.phone ?? ''));
  if (phone === '' || !numbers.some((number) => number.includes(phone))) {
    return undefined;
  }
  const isEnd = numbers.some((number) => number.endsWith(phone));
  return { matched: 'phone', score: isEnd ? 3 : 2 };
}

function bornThen({ dates }: PeopleQuery, { facts }: PersonFacts): boolean {
  return (
    dates.length === 0 ||
    facts.some(({ birthDate }) => birthDate !== undefined && dates.includes(birthDate))
  );
}

/** By words of a name, in any way, and by birth date. */
export function isNamed(query: PeopleQuery, facts: PersonFacts): boolean {
  const { words } = query;
  return bornThen(query, facts) && (words.length === 0 || nameMatch(query, facts) !== undefined);
}

function nameMatch({ words }: PeopleQuery, { facts }: PersonFacts): Match | undefined {
  let best: Match | undefined;
  const names = new Set(facts.map(({ name }) => name));
  for (const name of names) {
    const score = name === undefined ? 0 : nameScore(words, name);
    if (score > (best?.score ?? 0)) {
      best = { matched: 'name', score, name };
    }
  }
  return best;
}

function levelsOf(words: readonly string[], name: string): number[] {
  const spellings = spellingsOf(name);
  return words.map((word) => Math.max(0, ...spellings.map((one) => levelOf(word, one))));
}

function nameScore(words: readonly string[], name: string): number {
  const levels = levelsOf(words, name);
  if (levels.includes(0)) {
    return 0;
  }
  const sum = levels.reduce((total, level) => total + level, 0);
  const isWholeName = sum === LEVEL.whole * words.length && wordsOf(name).length === words.length;
  return sum / words.length + (isWholeName ? 1 : 0);
}

function levelOf(word: string, spelling: string): number {
  if (spelling === word) {
    return LEVEL.whole;
  }
  if (spelling.startsWith(word)) {
    return LEVEL.prefix;
  }
  return (isDense(word) || Array.from(word).length >= 2) && spelling.includes(word)
    ? LEVEL.part
    : 0;
}

/** Share of pairs of letters that two words have in common (Dice), 0 to 1. */
function alike(one: string, other: string): number {
  const pairs = (word: string): string[] =>
    Array.from({ length: Math.max(0, word.length - 1) }, (_, n) => word.slice(n, n + 2));
  const [first, second] = [pairs(one), new Set(pairs(other))];
  const common = first.filter((pair) => second.has(pair)).length;
  return first.length + second.size === 0 ? 0 : (2 * common) / (first.length + second.size);
}

function found({ dates }: PeopleQuery, known: PersonFacts, { matched, name }: Match): FoundPerson {
  const named = known.facts.find((fact) => fact.name !== undefined);
  const born = known.facts.find(({ birthDate }) => birthDate !== undefined);
  const called = known.facts.find(({ phone }) => phone !== undefined);
  const lives = known.facts.find(({ town }) => town !== undefined);
  const birthDates = known.facts.flatMap(({ birthDate }) => birthDate ?? []);
  const matchedDate = birthDates.find((date) => dates.includes(date));
  const seen = known.facts.flatMap(({ asOf }) => asOf ?? []).toSorted();
  return {
    user_id: known.userId,
    ...(known.clientUserId === undefined ? {} : { client_user_id: known.clientUserId }),
    name: named?.name ?? null,
    name_source: named?.source ?? null,
    name_as_of: named?.asOf ?? null,
    birth_date: born?.birthDate ?? null,
    birth_date_source: born?.source ?? null,
    phone: called?.phone ?? null,
    phone_source: called?.source ?? null,
    town: lives?.town ?? null,
    town_source: lives?.source ?? null,
    last_seen: seen.at(-1) ?? null,
    matched,
    ...(name === undefined || name === named?.name ? {} : { matched_name: name }),
    ...(matchedDate === undefined || dates.includes(born?.birthDate ?? '')
      ? {}
      : { matched_birth_date: matchedDate }),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
