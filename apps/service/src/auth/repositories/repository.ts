import { sql, type RawBuilder } from 'kysely';
import type { AccessDatabase } from '../access-database.ts';
import { checkTeam } from '../rules.ts';

/** Queries and changes of the tables of one thing. */
export abstract class Repository {
  protected readonly database: AccessDatabase;

  constructor(database: AccessDatabase) {
    this.database = database;
  }
}

/** Matches the rows of one team, or all without an ID. @throws RuleError if it is no team ID */
export function isOfTeam(teamId: string | undefined, column = 'team_id'): RawBuilder<boolean> {
  return teamId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} = ${checkTeam(teamId)}`;
}

export function toDate(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms);
}
