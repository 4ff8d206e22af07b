import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPeople, FoundPerson } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import type { Problem } from '../../../shared/problem.ts';
import { callService, toProblem } from '../../api/service-call.ts';
import { keyboard } from '../../app/keyboard.ts';
import { useLookUp } from '../../app/look-up.tsx';
import { useMayAsk } from '../../app/me.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useWorkspaceState } from '../../app/workspace.tsx';
import { getToday } from '../../ui/values/age.ts';
import { toSearchTexts } from './birth-date-text.ts';

/** This is longer than the gaps between a scanner's keys, so that the first letters of a scan start no search. */
export const pauseMs = 80;
/** Two keys within this time were typed by hand, since nobody can pick up a scanner between them. */
const maxTypingGapMs = 1000;
/** A change that comes later after the last key was pasted or dictated. */
const maxKeyDelayMs = 250;

/** The number of rows while the user types, and after Enter or "Show more". */
export const FEW = 8;
export const MANY = 20;
/** The service's limit in characters. */
const maxTextLength = 200;

export interface PeopleSearch {
  readonly text: string;
  readonly people: readonly FoundPerson[] | undefined;
  /** When the service sent `people`. */
  readonly receivedAt: string | undefined;
  /** The found people or, until the answer arrives, those of the previous text. */
  readonly shown: readonly FoundPerson[];
  readonly searched: FoundPeople['searched'] | undefined;
  /** If `more` is true, the total is a lower bound. */
  readonly total: number;
  readonly more: boolean;
  readonly isPending: boolean;
  readonly isTooShort: boolean;
  readonly problem: Problem | undefined;
  /** Why there is no search: the role isn't allowed to, or the service has none. */
  readonly unavailable: Problem | undefined;
  readonly searchNow: () => void;
  readonly retry: () => void;
  readonly cancel: () => void;
}

export function usePeopleSearch(typed: string): PeopleSearch {
  const intl = useIntl();
  const text = normalizeSearchText(typed);
  const desk = { locale: intl.locale, today: getToday(intl) };
  const unavailable = useSearchUnavailable();
  const paused = usePaused(text);
  const [requested, setRequested] = useState<string>();
  const isRequested = requested === text && text !== '';
  const queries = useQueryClient();
  const searched = isRequested ? text : paused;
  const options = createPeopleQuery(toSearchTexts(searched, desk), isRequested ? MANY : FEW);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...options,
    enabled: options.enabled === true && unavailable === undefined,
  });
  const problem = error === null ? undefined : toProblem(error);
  useRememberMissingSearch(error);
  const isCurrent = (isRequested || paused === text) && !isPlaceholderData && problem === undefined;
  const people = isCurrent ? data?.value.people : undefined;
  const isEmpty = !toSearchTexts(text, desk).some(isSearchable);
  return {
    text,
    people,
    receivedAt: isCurrent ? data?.receivedAt : undefined,
    shown: isEmpty || problem !== undefined ? [] : (data?.value.people ?? []),
    searched: isEmpty ? undefined : data?.value.searched,
    total: data?.value.total ?? 0,
    more: people !== undefined && data?.value.more === true,
    isPending: isFetching || (!isEmpty && paused !== text && !isRequested),
    isTooShort: text !== '' && (isEmpty || problem?.kind === 'invalid'),
    problem: problem?.kind === 'invalid' || isEmpty ? undefined : problem,
    unavailable,
    searchNow: () => setRequested(text),
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey: options.queryKey }),
  };
}

/** Whether the screen is the empty search, which lists recent patients. */
export function useIsHome(): boolean {
  const { screen } = useNavigation();
  const typed = useWorkspaceState('typed');
  const { pending } = useLookUp();
  const unavailable = useSearchUnavailable();
  return (
    screen === 'find' && typed.trim() === '' && pending === undefined && unavailable === undefined
  );
}

function useSearchUnavailable(): Problem | undefined {
  const may = useMayAsk('searchPeople');
  const missing = useMissingSearch();
  const isAllowed = may === 'yes' || may === 'mask';
  return isAllowed ? missing : { kind: 'forbidden', operation: 'searchPeople' };
}

export function normalizeSearchText(typed: string): string {
  const text = typed.normalize('NFC').trim().replace(/\s+/gu, ' ');
  return Array.from(text).slice(0, maxTextLength).join('');
}

/** A search needs three letters or digits, or two characters of Han, Hangul or kana. */
export function isSearchable(text: string): boolean {
  const dense = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;
  const weighed = (text.match(/[\p{L}\p{N}]/gu) ?? []).map((one) => (dense.test(one) ? 1.5 : 1));
  return weighed.reduce((sum, one) => sum + one, 0) >= 3;
}

/**
 * Finds the people who match any of the texts, in the order of the texts. A new search cancels the previous one, whose
 * people are shown until the answer arrives.
 */
export function createPeopleQuery(
  texts: readonly string[],
  limit: number,
): UseQueryOptions<Received<FoundPeople>> {
  const enabled = texts.some(isSearchable);
  return {
    queryKey: ['people', texts, limit],
    queryFn: async ({ signal }) =>
      mergeAnswers(
        await Promise.all(
          texts.map((text) => callService('searchPeople', { text, limit }, signal)),
        ),
      ),
    enabled,
    ...(enabled && { placeholderData: keepPreviousData }),
    gcTime: 30_000,
  };
}

/** Merges several answers into one list. A person in two answers is listed once, as in the first one. */
function mergeAnswers(answers: readonly Received<FoundPeople>[]): Received<FoundPeople> {
  const [first] = answers;
  if (first === undefined) throw new Error('A search needs a text.');
  const values = answers.map(({ value }) => value);
  const all = values.flatMap(({ people }) => people);
  const people = all.filter(
    ({ user_id: id }, at) => all.findIndex(({ user_id }) => user_id === id) === at,
  );
  const found = values.reduce((sum, { total }) => sum + total, 0);
  const total = found - (all.length - people.length);
  return {
    ...first,
    value: { ...first.value, people, total, more: values.some((one) => one.more) },
  };
}

const missingSearchKey = ['peopleSearchShut'];

/** If the service has no search, it isn't asked again in this session. */
export function useMissingSearch(): Problem | undefined {
  const { data } = useQuery<Problem | null>({
    queryKey: missingSearchKey,
    queryFn: () => null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? undefined;
}

function useRememberMissingSearch(error: Error | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    const problem = error === null ? undefined : toProblem(error);
    const isMissing = problem?.kind === 'notFound' || problem?.kind === 'notOffered';
    if (isMissing)
      queries.setQueryData<Problem>(missingSearchKey, { ...problem, kind: 'notOffered' });
  }, [error, queries]);
}

/** Returns the text after a pause that shows that no scanner is typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const wait = text === '' ? 0 : getSearchDelay(keyboard.times, performance.now());
    const timer = setTimeout(() => setPaused(text), wait);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/**
 * Returns the milliseconds to wait before a search; 0 for a text typed by hand. It uses the times of the key events,
 * since a blocked page handles all keys at once.
 */
export function getSearchDelay(
  { before, last }: { readonly before: number; readonly last: number },
  now: number,
): number {
  const gap = last - before;
  const isByHand = gap > pauseMs && gap < maxTypingGapMs && now - last < maxKeyDelayMs;
  return isByHand ? 0 : pauseMs;
}
