import type { PersonSession } from '../staff/person-session.ts';

/** Everybody with a session at this desk, in order of arrival. */
export class DeskPeople {
  readonly #byStaffId = new Map<string, PersonSession>();

  get size(): number {
    return this.#byStaffId.size;
  }

  list(): readonly PersonSession[] {
    return [...this.#byStaffId.values()];
  }

  get(staffId: string): PersonSession | undefined {
    return this.#byStaffId.get(staffId);
  }

  has(staffId: string): boolean {
    return this.#byStaffId.has(staffId);
  }

  /** Ends an earlier session of the same user. */
  add(person: PersonSession): void {
    const earlier = this.#byStaffId.get(person.staffId);
    if (earlier !== person) earlier?.signOut();
    this.#byStaffId.set(person.staffId, person);
  }

  signOut(staffId: string): PersonSession | undefined {
    const person = this.#byStaffId.get(staffId);
    this.#byStaffId.delete(staffId);
    person?.signOut();
    return person;
  }

  signOutAll(): void {
    for (const staffId of [...this.#byStaffId.keys()]) this.signOut(staffId);
  }
}
