import type { Emergency, Person } from '../../shared/people.ts';
import type { PersonSession } from './person-session.ts';

/** Everybody with a session at this desk, in order of arrival; at most one is current. */
export class People {
  readonly #all: PersonSession[] = [];
  #current: PersonSession | undefined;
  chosen: string | undefined;

  get current(): PersonSession | undefined {
    return this.#current;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  cards(): Person[] {
    return this.#all.map((person) => person.card());
  }

  emergency(now: number): Emergency | undefined {
    return this.#current?.emergency(now);
  }

  find(staffId: string): PersonSession | undefined {
    return this.#all.find((person) => person.staffId === staffId);
  }

  /** The previous person must have left; an earlier session of the same person ends. */
  seat(person: PersonSession): void {
    const at = this.#all.findIndex(({ staffId }) => staffId === person.staffId);
    const before = this.#all[at];
    if (before === undefined) this.#all.push(person);
    else {
      this.#all[at] = person;
      if (before !== person) before.signOut();
    }
    this.#current = person;
    this.chosen = undefined;
  }

  lock(): void {
    const person = this.#current;
    this.#current = undefined;
    this.chosen = person?.staffId;
    void person?.lock();
  }

  signOut(staffId: string): void {
    const at = this.#all.findIndex((person) => person.staffId === staffId);
    const [person] = at === -1 ? [] : this.#all.splice(at, 1);
    if (person === undefined) return;
    if (this.#current === person) this.#current = undefined;
    if (this.chosen === staffId) this.chosen = undefined;
    person.signOut();
  }

  signOutAll(): void {
    for (const { staffId } of [...this.#all]) this.signOut(staffId);
  }

  overdue(now: number): string[] {
    return this.#all.filter(({ endsAt }) => endsAt <= now).map(({ staffId }) => staffId);
  }
}
