import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPeople, FoundPerson } from '@caregate/domain';
import type { Problem } from '../../../shared/problem.ts';
import { today } from '../../ui/values/age.ts';
import { keyboard } from '../../app/keyboard.ts';
import { useMayAsk } from '../../app/me.tsx';
import { pauseAfter } from '../../app/typing.ts';
import { textsToSearch } from './birth-date-text.ts';
import {
  FEW,
  isAskable,
  MANY,
  peopleQuery,
  searchedText,
  useNotedShut,
  useSearchShut,
} from './people-query.ts';
import { problemOf } from '../../api/service-call.ts';

export interface PeopleSearch {
  readonly text: string;
  readonly people: readonly FoundPerson[] | undefined;
  /** When `people` came. */
  readonly receivedAt: string | undefined;
  /** `people`, or the previous text's until answered. */
  readonly shown: readonly FoundPerson[];
  readonly searched: FoundPeople['searched'] | undefined;
  /** A lower bound if `more`. */
  readonly total: number;
  readonly more: boolean;
  readonly isPending: boolean;
  readonly isTooShort: boolean;
  readonly problem: Problem | undefined;
  /** Why there is no search: the role may not, or the service has none. */
  readonly shut: Problem | undefined;
  readonly searchNow: () => void;
  readonly retry: () => void;
  readonly cancel: () => void;
}

export function usePeopleSearch(typed: string): PeopleSearch {
  const intl = useIntl();
  const text = searchedText(typed);
  const desk = { locale: intl.locale, today: today(intl) };
  const may = useMayAsk('searchPeople');
  const isShut = useSearchShut();
  const isAllowed = may === 'yes' || may === 'mask';
  const paused = usePaused(text);
  const [requested, setRequested] = useState<string>();
  const isRequested = requested === text && text !== '';
  const queries = useQueryClient();
  const searched = isRequested ? text : paused;
  const options = peopleQuery(textsToSearch(searched, desk), isRequested ? MANY : FEW);
  const query = useQuery({
    ...options,
    enabled: options.enabled === true && isAllowed && isShut === undefined,
  });
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const problem = error === null ? undefined : problemOf(error);
  useNotedShut(error);
  const isCurrent = (isRequested || paused === text) && !isPlaceholderData && problem === undefined;
  const people = isCurrent ? data?.value.people : undefined;
  const isEmpty = !textsToSearch(text, desk).some(isAskable);
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
    shut: isAllowed ? isShut : { kind: 'forbidden', operation: 'searchPeople' },
    searchNow: () => {
      setRequested(text);
    },
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey: options.queryKey }),
  };
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setPaused(text);
      },
      text === '' ? 0 : pauseAfter(keyboard.times, performance.now()),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return paused;
}
