import type { HealthDataSource } from './health-data-source.ts';
import type { Imports } from './health-data.ts';

/** Reads the data of some teams from their own sources, and of all others from the store. */
export class SourceByTeam implements HealthDataSource {
  readonly #store: HealthDataSource;
  readonly #others: ReadonlyMap<string, HealthDataSource>;

  /** @param others sources by the lower-case ID of their team */
  constructor(store: HealthDataSource, others: ReadonlyMap<string, HealthDataSource>) {
    this.#store = store;
    this.#others = others;
  }

  userByClientId: Read<'userByClientId'> = (...args) =>
    this.#sourceFor(args).userByClientId(...args);
  users: Read<'users'> = (...args) => this.#sourceFor(args).users(...args);
  userInfo: Read<'userInfo'> = (...args) => this.#sourceFor(args).userInfo(...args);
  latestInsurance: Read<'latestInsurance'> = (...args) =>
    this.#sourceFor(args).latestInsurance(...args);
  labResult: Read<'labResult'> = (...args) => this.#sourceFor(args).labResult(...args);
  timeseries: Read<'timeseries'> = (...args) => this.#sourceFor(args).timeseries(...args);
  orders: Read<'orders'> = (...args) => this.#sourceFor(args).orders(...args);
  orderHistory: Read<'orderHistory'> = (...args) => this.#sourceFor(args).orderHistory(...args);
  searchPeople: Read<'searchPeople'> = (...args) => this.#sourceFor(args).searchPeople(...args);
  records: Read<'records'> = (...args) => this.#sourceFor(args).records(...args);

  /** The service stays ready while an upstream is down. */
  ready(): Promise<void> {
    return this.#store.ready();
  }

  degraded(): boolean {
    return [this.#store, ...this.#others.values()].some((source) => source.degraded());
  }

  imports(): Promise<Imports> {
    return this.#store.imports();
  }

  async close(): Promise<void> {
    await Promise.all([this.#store, ...this.#others.values()].map((source) => source.close()));
  }

  #sourceFor([teamId]: readonly [teamId: string, ...others: unknown[]]): HealthDataSource {
    return this.#others.get(teamId.toLowerCase()) ?? this.#store;
  }
}

type Read<Name extends keyof HealthDataSource> = HealthDataSource[Name];
