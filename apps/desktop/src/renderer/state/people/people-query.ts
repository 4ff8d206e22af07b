import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FoundPeople } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf } from '../service-call.ts';

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

/** A new text cancels the request of the previous one, whose people are placeholders until the answer. */
export function peopleQuery(text: string, limit: number): UseQueryOptions<Received<FoundPeople>> {
  const enabled = isAskable(text);
  return {
    queryKey: ['people', text, limit],
    queryFn: ({ signal }) => callService('searchPeople', { text, limit }, signal),
    enabled,
    ...(enabled && { placeholderData: keepPreviousData }),
    gcTime: 30_000,
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
