import type { Compilable, CompiledQuery } from 'kysely';

/** A statement of one engine, prepared once. SQLite answers at once, PostgreSQL after a round trip. */
export interface Statement<Row> {
  rows(parameters: readonly unknown[]): readonly Row[] | Promise<readonly Row[]>;
  first(parameters: readonly unknown[]): Row | undefined | Promise<Row | undefined>;
}

/** Prepares statements on an engine: `prepareOnSqlite`, `prepareOnPostgres`. */
export type Prepare = <Row>(query: CompiledQuery<Row>) => Statement<Row>;

/** A query compiled once by Kysely; calls only fill in parameters, since compiling takes longer than most reads. */
export class PreparedQuery<Values, Row> {
  readonly #statement: Statement<Row>;
  readonly #parameters: readonly unknown[];

  constructor(
    prepare: Prepare,
    build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
  ) {
    const compiled = build(<Name extends keyof Values>(name: Name) => {
      // Kysely does not inspect parameter values, so a placeholder object can stand in for them.
      return new Slot(name) as Values[Name];
    }).compile();
    this.#statement = prepare(compiled);
    this.#parameters = compiled.parameters;
  }

  rows(values: Values): readonly Row[] | Promise<readonly Row[]> {
    return this.#statement.rows(this.#filledIn(values));
  }

  first(values: Values): Row | undefined | Promise<Row | undefined> {
    return this.#statement.first(this.#filledIn(values));
  }

  #filledIn(values: Values): readonly unknown[] {
    return this.#parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
  }
}

class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}
