import type { Emergency, Person } from '../../bridge/people.ts';
import type { PersonSession } from './person-session.ts';

/** Everybody with a session at this desk, in the order they came; at most one of them is at it. */
export class People {
  readonly #all: PersonSession[] = [];
  #current: PersonSession | undefined;
  /** Whose card was picked. */
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

  /** Puts somebody at the desk. Whoever was there must have left; an earlier session of the same person ends. */
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

  /** Nobody is at the desk any more; the session of whoever was is suspended. */
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

  /** Whose longest sign-in is over. */
  overdue(now: number): string[] {
    return this.#all.filter(({ endsAt }) => endsAt <= now).map(({ staffId }) => staffId);
  }
}
