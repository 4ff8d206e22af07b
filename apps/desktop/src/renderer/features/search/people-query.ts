import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FoundPeople } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import type { Problem } from '../../../shared/problem.ts';
import { callService, problemOf } from '../../api/service-call.ts';

/** Rows while typing, and on demand. */
export const FEW = 8;
export const MANY = 20;
/** Limit of the service. */
const longest = 200;

export function searchedText(typed: string): string {
  const text = typed.normalize('NFC').trim().replace(/\s+/gu, ' ');
  return Array.from(text).slice(0, longest).join('');
}

/** Three letters or digits, or two of Han, Hangul or kana. */
export function isAskable(text: string): boolean {
  const dense = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;
  const weighed = (text.match(/[\p{L}\p{N}]/gu) ?? []).map((one) => (dense.test(one) ? 1.5 : 1));
  return weighed.reduce((sum, one) => sum + one, 0) >= 3;
}

/**
 * Finds who matches any of the texts, in their order. A new search cancels the previous one, whose people are placeholders
 * until the answer.
 */
export function peopleQuery(
  texts: readonly string[],
  limit: number,
): UseQueryOptions<Received<FoundPeople>> {
  const enabled = texts.some(isAskable);
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

/** One list of several answers; who is in two of them is listed once, as the first one has it. */
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

const shutKey = ['peopleSearchShut'];

/** A service without a search isn't asked again in this sign-in. */
export function useSearchShut(): Problem | undefined {
  const { data } = useQuery<Problem | null>({
    queryKey: shutKey,
    queryFn: () => null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? undefined;
}

export function useNotedShut(error: Error | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    const problem = error === null ? undefined : problemOf(error);
    const isMissing = problem?.kind === 'notFound' || problem?.kind === 'notOffered';
    if (isMissing) queries.setQueryData<Problem>(shutKey, { ...problem, kind: 'notOffered' });
  }, [error, queries]);
}
