import {
  expressionBuilder,
  sql,
  type Expression,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type Updateable,
} from 'kysely';
import type { AccessDatabase } from '../access-database.ts';
import type { AccessSchema } from '../access-schema.ts';
import { checkTeam } from '../rules.ts';

/** Base class for the queries and changes of a few related tables. */
export abstract class Repository {
  protected readonly database: AccessDatabase;

  constructor(database: AccessDatabase) {
    this.database = database;
  }
}

/** Matches the rows of one team, or all rows without an ID. @throws RuleError if the ID is not a team ID */
export function matchesTeam(teamId: string | undefined, column = 'team_id'): RawBuilder<boolean> {
  return teamId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} = ${checkTeam(teamId)}`;
}

type Db = Kysely<AccessSchema>;
type Row<Name extends keyof AccessSchema> = Selectable<AccessSchema[Name]>;

/** Kysely can't infer the types of a query whose table is a parameter. */
type Untyped = Record<string, Record<string, unknown>>;
const toUntyped = (db: Db): Kysely<Untyped> => db as unknown as Kysely<Untyped>;
const hasValues = (values: Record<string, unknown>): Expression<SqlBool> =>
  expressionBuilder<Untyped, string>().and(values);

/** Finds a row by column values. */
export async function findRow<Name extends keyof AccessSchema>(
  db: Db,
  table: Name,
  values: Partial<Row<Name>>,
): Promise<Row<Name> | undefined> {
  const query = toUntyped(db)
    .selectFrom(table as string)
    .selectAll()
    .where(hasValues(values));
  return (await query.executeTakeFirst()) as Row<Name> | undefined;
}

/** Changes all rows with these column values. @returns the number of rows */
export async function updateRows<Name extends keyof AccessSchema>(
  db: Db,
  table: Name,
  values: Partial<Row<Name>>,
  changes: Updateable<AccessSchema[Name]>,
): Promise<number> {
  const query = toUntyped(db)
    .updateTable(table as string)
    .set(changes)
    .where(hasValues(values));
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

export function toDate(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms);
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
