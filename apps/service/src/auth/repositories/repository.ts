import type { AccessDatabase } from '../access-database.ts';

/** Queries and changes of the tables of one thing. */
export abstract class Repository {
  protected readonly database: AccessDatabase;

  constructor(database: AccessDatabase) {
    this.database = database;
  }
}
