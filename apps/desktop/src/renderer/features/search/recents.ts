import type { ScreenName } from '../../app/navigation.tsx';

/** A patient in the list of recent patients. Opening one sends a new request, which is recorded in the audit log. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  readonly name?: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined;
  /** The patient's screen that was shown last. */
  readonly screen?: ScreenName | undefined;
  readonly at: Date;
}

export type RecentFacts = Pick<RecentPerson, 'name' | 'birthDate' | 'screen'>;

export const maxRecents = 10;

/** Moves the patient to the front and keeps the facts that are already known. */
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
