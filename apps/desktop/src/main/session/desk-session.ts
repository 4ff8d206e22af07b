import type { FetchFunction } from '@caregate/api-client';
import { DeskCalls } from './desk-calls.ts';
import { Desk } from './desk.ts';
import type { DeskParts } from './desk.ts';
import { KeySignIn } from './key-sign-in.ts';
import { PeopleSignIn } from './people-sign-in.ts';

export class DeskSession {
  readonly desk: Desk;
  readonly keys: KeySignIn;
  readonly people: PeopleSignIn;
  readonly calls: DeskCalls;

  constructor(parts: DeskParts & { readonly fetch: FetchFunction }) {
    this.desk = new Desk(parts);
    this.keys = new KeySignIn(this.desk, parts);
    this.people = new PeopleSignIn(this.desk, parts.staff);
    this.calls = new DeskCalls(this.desk);
  }
}
