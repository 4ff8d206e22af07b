import type { Compilable, CompiledQuery, QueryResult } from 'kysely';

/** A query that Kysely built and compiled once; a call only fills its slots. Building costs more than most reads here. */
export class PreparedQuery<Values, Row> {
  readonly #compiled: CompiledQuery<Row>;

  constructor(
    build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
  ) {
    this.#compiled = build(<Name extends keyof Values>(name: Name) => {
      // The builder passes a value through untouched; only this class ever looks at it.
      return new Slot(name) as Values[Name];
    }).compile();
  }

  async rows(db: Runner, values: Values): Promise<Row[]> {
    const parameters = this.#compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...this.#compiled, parameters });
    return rows;
  }

  async first(db: Runner, values: Values): Promise<Row | undefined> {
    return (await this.rows(db, values))[0];
  }
}

/** A Kysely or a transaction of it, whatever its tables. */
interface Runner {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}
