import type { ScreenName } from '../../app/navigation.tsx';

/** What a list shows of a patient. Opening them takes a new request, which is audited. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  readonly name?: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined;
  /** The screen of them that was shown last. */
  readonly screen?: ScreenName | undefined;
  readonly at: Date;
}

export type RecentFacts = Pick<RecentPerson, 'name' | 'birthDate' | 'screen'>;

export const maxRecents = 10;

/** Puts the patient first; facts that are known already stay. */
export function addRecent(
  recents: readonly RecentPerson[],
  person: RecentPerson,
): readonly RecentPerson[] {
  const isSame = ({ userId }: RecentPerson): boolean => userId === person.userId;
  const others = recents.filter((one) => !isSame(one));
  return [{ ...recents.find(isSame), ...person }, ...others].slice(0, maxRecents);
}

export function describeRecent(
  recents: readonly RecentPerson[],
  userId: string,
  facts: RecentFacts,
): readonly RecentPerson[] {
  return recents.map((one) => (one.userId === userId ? { ...one, ...facts } : one));
}
