import { useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { workspaceContext } from './context.ts';
import type { Person } from './person.ts';

/** What tells people apart in a list: showing a person again takes a new request, which the service audits. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  readonly name?: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined;
  /** When the person was last opened. */
  readonly at: Date;
}

export interface RecentOrder {
  readonly id: string;
  /** The person under whom it was opened; undefined for none. */
  readonly personId: string | undefined;
  readonly clientUserId: string | undefined;
  readonly at: Date;
}

/** What the service answered for, each list newest first; never an id that was mistyped or denied. */
export interface RecentLists {
  readonly people: readonly RecentPerson[];
  readonly orders: readonly RecentOrder[];
}

export const noRecents: RecentLists = { people: [], orders: [] };
export const maxRecents = 10;

/** With a person whom the service answered for. */
export function withPerson(recents: RecentLists, person: RecentPerson): RecentLists {
  const isSame = (one: RecentPerson): boolean => one.userId === person.userId;
  return { ...recents, people: first(person, recents.people, isSame) };
}

/** With what became known of a person; the order stays. */
export function withFacts(
  recents: RecentLists,
  userId: string,
  { name, birthDate }: Pick<RecentPerson, 'name' | 'birthDate'>,
): RecentLists {
  const isKnown = (one: RecentPerson): boolean =>
    one.userId !== userId || (one.name === name && one.birthDate === birthDate);
  if (recents.people.every(isKnown)) return recents;
  const people = recents.people.map((one) => (isKnown(one) ? one : { ...one, name, birthDate }));
  return { ...recents, people };
}

/** With an order whose result the service answered with. */
export function withOrder(recents: RecentLists, order: RecentOrder): RecentLists {
  // UUIDs are case-insensitive.
  const id = order.id.toLowerCase();
  const isSame = (one: RecentOrder): boolean =>
    one.id.toLowerCase() === id && one.personId === order.personId;
  return { ...recents, orders: first(order, recents.orders, isSame) };
}

/** The list with this item first, without duplicates. */
function first<T>(noted: T, before: readonly T[], isSame: (one: T) => boolean): readonly T[] {
  return [noted, ...before.filter((one) => !isSame(one))].slice(0, maxRecents);
}

/** The last ten people and orders. In memory only: gone with the lock and with the sign-out. */
export interface Recents extends RecentLists {
  readonly addPerson: (person: Person) => void;
  /** The name and the birth date of a person who was opened. */
  readonly describe: (userId: string, facts: Pick<RecentPerson, 'name' | 'birthDate'>) => void;
  /** The service answered with this order's result, under this person. */
  readonly addOrder: (id: string, person: Person | undefined) => void;
  /** The service shows this person no longer. */
  readonly forget: (userId: string) => void;
  readonly clear: () => void;
}

const [RecentsContext, useRecents] = workspaceContext<Recents>();
export { useRecents };

export function RecentsProvider({ children }: { children: ReactNode }): ReactElement {
  const [lists, setLists] = useState(noRecents);
  const addPerson = useCallback(({ value }: Person) => {
    const { user_id: userId, client_user_id: clientUserId } = value;
    setLists((before) => {
      // What is known of them stays, until it is known anew.
      const known = before.people.find((one) => one.userId === userId);
      return withPerson(before, { ...known, userId, clientUserId, at: new Date() });
    });
  }, []);
  const describe = useCallback<Recents['describe']>((userId, facts) => {
    setLists((before) => withFacts(before, userId, facts));
  }, []);
  const addOrder = useCallback((id: string, person: Person | undefined) => {
    const personId = person?.value.user_id;
    const recent = { id, personId, clientUserId: person?.value.client_user_id, at: new Date() };
    setLists((before) => withOrder(before, recent));
  }, []);
  const forget = useCallback((userId: string) => {
    setLists((before) => ({
      ...before,
      people: before.people.filter((one) => one.userId !== userId),
    }));
  }, []);
  const clear = useCallback(() => {
    setLists(noRecents);
  }, []);
  const value = useMemo(
    () => ({ ...lists, addPerson, describe, addOrder, forget, clear }),
    [lists, addPerson, describe, addOrder, forget, clear],
  );
  return <RecentsContext value={value}>{children}</RecentsContext>;
}
