import type { Compilable, CompiledQuery, QueryResult } from 'kysely';

/** A query compiled once by Kysely; calls only fill in parameters, since compiling takes longer than most reads. */
export class PreparedQuery<Values, Row> {
  readonly #compiled: CompiledQuery<Row>;

  constructor(
    build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
  ) {
    this.#compiled = build(<Name extends keyof Values>(name: Name) => {
      // Kysely does not inspect parameter values, so a placeholder object can stand in for them.
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
