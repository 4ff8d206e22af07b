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

  get(status: Status): readonly TodayPerson[] {
    this.forgetYesterday();
    const owner = ownerOf(status);
    return owner === undefined ? [] : (this.#lists.get(owner)?.people ?? []);
  }

  change(status: Status, change: TodayChange): readonly TodayPerson[] {
    const by = status.people.find(({ staffId }) => staffId === status.current)?.name;
    const people = changed(this.get(status), change, { at: this.#now().toISOString(), by });
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

/** Everybody is on it once, by time; without a time last, as they were added. Changes to others are ignored. */
export function changed(
  people: readonly TodayPerson[],
  { act, person, time }: TodayChange,
  { at: addedAt, by }: { readonly at: string; readonly by?: string | undefined },
): readonly TodayPerson[] {
  const at = people.findIndex(({ userId }) => userId === person.userId);
  const listed = people[at];
  if (listed === undefined) {
    const isAdded = act === 'add' && people.length < MOST_TODAY;
    const added = { ...(by !== undefined && { addedBy: by }), addedAt, state: 'expected' } as const;
    return isAdded ? byTime([...people, { ...person, ...added }]) : people;
  }
  switch (act) {
    case 'add':
    case 'complete':
      return people.with(at, { ...listed, ...person });
    case 'remove':
      return people.toSpliced(at, 1);
    case 'time': {
      const { time: _before, ...rest } = listed;
      return byTime(people.with(at, { ...rest, ...(time !== undefined && { time }) }));
    }
    case 'expected':
    case 'arrived':
    case 'done': {
      const { arrivedAt, ...rest } = listed;
      const arrived = act === 'expected' ? undefined : (arrivedAt ?? addedAt);
      return people.with(at, {
        ...{ ...rest, state: act },
        ...(arrived !== undefined && { arrivedAt: arrived }),
      });
    }
  }
}

function byTime(people: readonly TodayPerson[]): readonly TodayPerson[] {
  const keyOf = ({ time, addedAt }: TodayPerson): string => `${time ?? '~'} ${addedAt}`;
  return people.toSorted((one, other) =>
    keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0,
  );
}
