/** What a list shows of a patient. Opening them takes a new request, which is audited. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  readonly name?: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined;
  readonly at: Date;
}

export interface RecentOrder {
  readonly id: string;
  readonly personId: string | undefined;
  readonly clientUserId: string | undefined;
  readonly at: Date;
}

/** What the service answered, newest first. */
export interface RecentLists {
  readonly people: readonly RecentPerson[];
  readonly orders: readonly RecentOrder[];
}

export const noRecents: RecentLists = { people: [], orders: [] };
export const maxRecents = 10;

export function withPerson(recents: RecentLists, person: RecentPerson): RecentLists {
  const isSame = (one: RecentPerson): boolean => one.userId === person.userId;
  return { ...recents, people: prepend(person, recents.people, isSame) };
}

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

export function withOrder(recents: RecentLists, order: RecentOrder): RecentLists {
  // UUIDs are case-insensitive.
  const id = order.id.toLowerCase();
  const isSame = (one: RecentOrder): boolean =>
    one.id.toLowerCase() === id && one.personId === order.personId;
  return { ...recents, orders: prepend(order, recents.orders, isSame) };
}

function prepend<T>(item: T, before: readonly T[], isSame: (one: T) => boolean): readonly T[] {
  return [item, ...before.filter((one) => !isSame(one))].slice(0, maxRecents);
}
