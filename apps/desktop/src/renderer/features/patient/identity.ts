import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FoundPerson, UserInfo } from '@caregate/domain';
import { useMayAsk } from '../../app/me.tsx';
import type { Person } from './person.ts';
import { useRead, type Read } from '../../api/read.ts';
import { useSelection } from '../../app/selection.tsx';
import { callService, toProblem } from '../../api/service-call.ts';
import { compareNames } from '../search/same-name.ts';
import { useMissingSearch } from '../search/use-people-search.ts';

export interface Identity {
  readonly name: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate: string | undefined;
  readonly otherBirthDate: string | undefined;
  readonly sex: string | undefined;
  readonly isPending: boolean;
}

/** @param options.isStored whether to use only an answer that is already in the cache */
export function useUserInfo(person: Person | undefined, { isStored = false } = {}): Read<UserInfo> {
  const may = useMayAsk('userInfo');
  const userId = person?.value.user_id ?? '';
  return useRead(
    ['userInfo', userId, person?.receivedAt],
    isStored ? undefined : ({ signal }) => callService('userInfo', { userId }, signal),
    { enabled: person !== undefined && (may === 'yes' || may === 'mask'), staleTime: Infinity },
  );
}

const freshMs = 60_000;

/** Whether the search was answered shortly before the patient was opened, so that its data is recent enough. */
export function isFresh(searchedAt: string, openedAt: string): boolean {
  return Date.parse(openedAt) - Date.parse(searchedAt) < freshMs;
}

/** Returns the birth dates of all sources, for the identity check of lab reports; undefined if no patient is open. */
export function useBirthDates(person: Person | undefined): {
  readonly birthDates: readonly string[] | undefined;
  readonly isPending: boolean;
} {
  const { found } = useSelection();
  const { data, isFetching } = useUserInfo(person);
  const birthDates = useMemo(
    () =>
      person && [
        ...new Set(
          [person.value.fallback_birth_date?.value, data?.value.dob, found?.birth_date].flatMap(
            (date) => date || [],
          ),
        ),
      ],
    [person, data, found],
  );
  return { birthDates, isPending: isFetching };
}

export function useIdentity(person: Person | undefined): Identity {
  const { found: selected, search } = useSelection();
  const isJustFound = search && person && isFresh(search.receivedAt, person.receivedAt);
  // A search result with name and birth date identifies the patient, so the contact details are not read again.
  const isStored = Boolean(isJustFound && selected?.name && selected.birth_date);
  const { data, isFetching } = useUserInfo(person, { isStored });
  const info = data?.value;
  const infoName = info === undefined ? undefined : formatName(info);
  const isNameless = !isFetching && infoName === undefined && !selected?.name;
  const byId = useFoundById(person, isNameless);
  const found = selected ?? byId.found;
  const dates = [info?.dob, found?.birth_date, person?.value.fallback_birth_date?.value].flatMap(
    (date) => (date ? [date] : []),
  );
  const [birthDate] = dates;
  return {
    name: infoName ?? found?.name ?? undefined,
    birthDate,
    otherBirthDate: dates.find((date) => date !== birthDate),
    sex: info?.gender ?? undefined,
    isPending: isFetching || byId.isFetching,
  };
}

export function useSameNames(
  person: Person,
  { name, birthDate }: Identity,
): {
  readonly same: readonly FoundPerson[];
  readonly near: readonly FoundPerson[];
  readonly sameNameAndDob: number;
  readonly isAll: boolean;
  readonly isUnchecked: boolean;
} {
  const isSearched = useIsSearched();
  const { found: selected, search } = useSelection();
  // The search by this name returned everybody who has it, so the search isn't repeated.
  const listed = selected?.name === name ? search?.people : undefined;
  const userId = person.value.user_id;
  const { data, error } = useQuery({
    queryKey: ['sameNames', userId, name],
    queryFn: ({ signal }) =>
      callService('searchPeople', { text: toSearchText(name ?? '') }, signal),
    enabled: isSearched && listed === undefined && toSearchText(name ?? '').length >= 3,
    staleTime: Infinity,
  });
  const others = (listed ?? data?.value.people ?? []).filter((one) => one.user_id !== userId);
  const compared = others.map((one) => ({
    one,
    likeness: compareNames(name, one.name),
  }));
  const filterByLikeness = (expected: string): FoundPerson[] =>
    compared.filter(({ likeness }) => likeness === expected).map(({ one }) => one);
  const found = listed === undefined ? data?.value : undefined;
  const kind = error === null ? undefined : toProblem(error).kind;
  return {
    same: filterByLikeness('sameName'),
    near: filterByLikeness('nearName'),
    sameNameAndDob: filterByLikeness('sameName').filter(
      (one) => birthDate && one.birth_date === birthDate,
    ).length,
    isAll: found === undefined || (!found.more && found.total <= found.people.length),
    isUnchecked:
      kind !== undefined && !['cancelled', 'forbidden', 'notFound', 'notOffered'].includes(kind),
  };
}

function useFoundById(
  person: Person | undefined,
  isWanted: boolean,
): { readonly found: FoundPerson | undefined; readonly isFetching: boolean } {
  const isSearched = useIsSearched();
  const { user_id: userId, client_user_id: text = '' } = person?.value ?? {};
  const { data, isFetching } = useQuery({
    queryKey: ['foundById', userId],
    queryFn: ({ signal }) => callService('searchPeople', { text, limit: 4 }, signal),
    enabled: isWanted && isSearched && toSearchText(text) === text && text.length >= 3,
    staleTime: Infinity,
  });
  return { found: data?.value.people.find((one) => one.user_id === userId), isFetching };
}

function useIsSearched(): boolean {
  const may = useMayAsk('searchPeople');
  const unavailable = useMissingSearch();
  return may === 'yes' && unavailable === undefined;
}

export function formatName({ first_name: first, last_name: last }: UserInfo): string | undefined {
  const name = [first, last].map((part) => part?.trim() ?? '').filter((part) => part !== '');
  return name.length === 0 ? undefined : name.join(' ');
}

function toSearchText(name: string): string {
  return Array.from(name.trim()).slice(0, 200).join('');
}
