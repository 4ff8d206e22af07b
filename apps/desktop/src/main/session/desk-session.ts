import { DeskCalls } from './desk-calls.ts';
import { Desk } from './desk.ts';
import type { DeskParts } from './desk.ts';
import { PeopleSignIn } from './people-sign-in.ts';

export class DeskSession {
  readonly desk: Desk;
  readonly people: PeopleSignIn;
  readonly calls: DeskCalls;

  constructor(parts: DeskParts) {
    this.desk = new Desk(parts);
    this.people = new PeopleSignIn(this.desk, parts.staff);
    this.calls = new DeskCalls(this.desk);
  }
}
