import type { FetchFunction } from '@caregate/api-client';
import { DeskCalls } from './desk-calls.ts';
import { Desk } from './desk.ts';
import type { DeskParts } from './desk.ts';
import { KeySignIn } from './key-sign-in.ts';
import { PeopleSignIn } from './people-sign-in.ts';

/** The session of this desk, in its four parts. */
export class DeskSession {
  /** Who is at it. */
  readonly desk: Desk;
  /** How a staff key comes to it. */
  readonly keys: KeySignIn;
  /** How people come to it, and hand it over. */
  readonly people: PeopleSignIn;
  /** What whoever is at it asks of the service. */
  readonly calls: DeskCalls;

  constructor(parts: DeskParts & { readonly fetch: FetchFunction }) {
    this.desk = new Desk(parts);
    this.keys = new KeySignIn(this.desk, parts);
    this.people = new PeopleSignIn(this.desk, parts.staff);
    this.calls = new DeskCalls(this.desk);
  }
}
