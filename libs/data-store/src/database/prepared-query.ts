import type { Compilable, CompiledQuery } from 'kysely';

/** SQLite returns at once, PostgreSQL after a round trip. */
export interface Statement<Row> {
  rows(parameters: readonly unknown[]): readonly Row[] | Promise<readonly Row[]>;
  first(parameters: readonly unknown[]): Row | undefined | Promise<Row | undefined>;
}

export type Prepare = <Row>(query: CompiledQuery<Row>) => Statement<Row>;

/** A query compiled once by Kysely; calls only fill in parameters, since compiling takes longer than most reads. */
export class PreparedQuery<Values, Row, Engine extends Statement<Row> = Statement<Row>> {
  readonly #statement: Engine;
  readonly #parameters: readonly unknown[];

  constructor(
    prepare: (query: CompiledQuery<Row>) => Engine,
    build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
  ) {
    const compiled = build(<Name extends keyof Values>(name: Name) => {
      // Kysely does not inspect parameter values, so a placeholder object can stand in for them.
      return new Slot(name) as Values[Name];
    }).compile();
    this.#statement = prepare(compiled);
    this.#parameters = compiled.parameters;
  }

  rows(values: Values): ReturnType<Engine['rows']> {
    return this.#statement.rows(this.#filledIn(values)) as ReturnType<Engine['rows']>;
  }

  first(values: Values): ReturnType<Engine['first']> {
    return this.#statement.first(this.#filledIn(values)) as ReturnType<Engine['first']>;
  }

  #filledIn(values: Values): readonly unknown[] {
    const filled: unknown[] = [];
    for (const parameter of this.#parameters) {
      filled.push(parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter);
    }
    return filled;
  }
}

class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}
