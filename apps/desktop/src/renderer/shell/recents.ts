/** Ids alone: to be shown again, a person is asked for again, and the service records that. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  /** When the person was last opened. */
  readonly at: Date;
}

export interface RecentOrder {
  readonly id: string;
  /** Under whom it was opened; without both, under nobody. */
  readonly personId: string | undefined;
  readonly clientUserId: string | undefined;
  readonly at: Date;
}

/** What the service answered for, each list newest first. Nothing else is in it: no id that was mistyped or refused. */
export interface Recents {
  readonly people: readonly RecentPerson[];
  readonly orders: readonly RecentOrder[];
}

export const noRecents: Recents = { people: [], orders: [] };
export const mostRecents = 10;

/** With a person whom the service answered for. */
export function withPerson(recents: Recents, person: RecentPerson): Recents {
  const isSame = (one: RecentPerson): boolean => one.userId === person.userId;
  return { ...recents, people: first(person, recents.people, isSame) };
}

/** With an order whose result the service answered with. */
export function withOrder(recents: Recents, order: RecentOrder): Recents {
  // A UUID is the same in capitals.
  const id = order.id.toLowerCase();
  const isSame = (one: RecentOrder): boolean =>
    one.id.toLowerCase() === id && one.personId === order.personId;
  return { ...recents, orders: first(order, recents.orders, isSame) };
}

/** The list with this one first, and once. */
function first<T>(noted: T, before: readonly T[], isSame: (one: T) => boolean): readonly T[] {
  return [noted, ...before.filter((one) => !isSame(one))].slice(0, mostRecents);
}
