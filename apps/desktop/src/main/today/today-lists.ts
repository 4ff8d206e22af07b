import { MOST_TODAY } from '../../bridge/app-state.ts';
import type { Status, TodayChange, TodayPerson } from '../../bridge/app-state.ts';
import { dayIn } from '../../bridge/time-zone.ts';

interface List {
  /** In the clinic's time zone, or this computer's. */
  readonly day: string;
  readonly timeZone: string | undefined;
  readonly people: readonly TodayPerson[];
}

/** Each person's list of the day: in memory, until the clinic's midnight or their sign-out; a lock keeps it. */
export class TodayLists {
  readonly #lists = new Map<string, List>();
  readonly #now: () => Date;

  constructor(now: () => Date = () => new Date()) {
    this.#now = now;
  }

  /** Empty if nobody is signed in, and on the next day. */
  get(status: Status): readonly TodayPerson[] {
    this.forgetYesterday();
    const owner = ownerOf(status);
    return owner === undefined ? [] : (this.#lists.get(owner)?.people ?? []);
  }

  /** Applies a change to the current list, whatever a window showed. */
  change(status: Status, change: TodayChange): readonly TodayPerson[] {
    const people = changed(this.get(status), change);
    const owner = ownerOf(status);
    if (owner === undefined) return [];
    const { clinicTimeZone: timeZone } = status;
    this.#lists.set(owner, { day: dayIn(timeZone, this.#now()), timeZone, people });
    return people;
  }

  keepFor({ phase, people, keyId, address }: Status): void {
    const left = new Set(people.map(({ staffId }) => `${address} ${staffId}`));
    if (phase !== 'signedOut' && keyId !== undefined) left.add(`${address} ${keyId}`);
    for (const owner of this.#lists.keys()) if (!left.has(owner)) this.#lists.delete(owner);
  }

  forgetYesterday(): void {
    const now = this.#now();
    for (const [owner, { day, timeZone }] of this.#lists) {
      if (day !== dayIn(timeZone, now)) this.#lists.delete(owner);
    }
  }
}

function ownerOf({ phase, current, keyId, address }: Status): string | undefined {
  const id = current ?? keyId;
  return phase === 'signedIn' && id !== undefined ? `${address} ${id}` : undefined;
}

/** Everybody is on it once; new people come last. Changes to others are ignored. */
export function changed(
  people: readonly TodayPerson[],
  { act, person }: TodayChange,
): readonly TodayPerson[] {
  const at = people.findIndex(({ userId }) => userId === person.userId);
  const listed = people[at];
  if (listed === undefined) {
    const isAdded = act === 'add' && people.length < MOST_TODAY;
    return isAdded ? [...people, { ...person, isDone: false }] : people;
  }
  switch (act) {
    case 'add':
    case 'complete':
      return people.with(at, { ...listed, ...person });
    case 'remove':
      return people.toSpliced(at, 1);
    case 'done':
    case 'undone':
      return people.with(at, { ...listed, isDone: act === 'done' });
    case 'up':
    case 'down':
      return moved(people, at, act === 'up' ? at - 1 : at + 1);
  }
}

function moved(people: readonly TodayPerson[], from: number, to: number): readonly TodayPerson[] {
  const isThere = to >= 0 && to < people.length;
  return isThere
    ? people.toSpliced(from, 1).toSpliced(to, 0, ...people.slice(from, from + 1))
    : people;
}
