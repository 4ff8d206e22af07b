import type { HealthDataSource } from './health-data-source.ts';
import type { ImportStatus } from './health-data.ts';

/** Reads the data of some teams from their own sources, and of all others from the store. */
export class SourceByTeam implements HealthDataSource {
  readonly #store: HealthDataSource;
  readonly #others: ReadonlyMap<string, HealthDataSource>;

  /** @param others sources by the lower-case ID of their team */
  constructor(store: HealthDataSource, others: ReadonlyMap<string, HealthDataSource>) {
    this.#store = store;
    this.#others = others;
  }

  findUserByClientId: Read<'findUserByClientId'> = (...args) =>
    this.#getSource(args).findUserByClientId(...args);
  listUsers: Read<'listUsers'> = (...args) => this.#getSource(args).listUsers(...args);
  getUserInfo: Read<'getUserInfo'> = (...args) => this.#getSource(args).getUserInfo(...args);
  getLatestInsurance: Read<'getLatestInsurance'> = (...args) =>
    this.#getSource(args).getLatestInsurance(...args);
  getLabResult: Read<'getLabResult'> = (...args) => this.#getSource(args).getLabResult(...args);
  getTimeseries: Read<'getTimeseries'> = (...args) => this.#getSource(args).getTimeseries(...args);
  listOrders: Read<'listOrders'> = (...args) => this.#getSource(args).listOrders(...args);
  getOrderHistory: Read<'getOrderHistory'> = (...args) =>
    this.#getSource(args).getOrderHistory(...args);
  searchPeople: Read<'searchPeople'> = (...args) => this.#getSource(args).searchPeople(...args);
  getRecords: Read<'getRecords'> = (...args) => this.#getSource(args).getRecords(...args);

  /** The service stays ready while an upstream is down. */
  checkReady(): Promise<void> {
    return this.#store.checkReady();
  }

  isDegraded(): boolean {
    return [this.#store, ...this.#others.values()].some((source) => source.isDegraded());
  }

  getImports(): Promise<ImportStatus> {
    return this.#store.getImports();
  }

  async close(): Promise<void> {
    await Promise.all([this.#store, ...this.#others.values()].map((source) => source.close()));
  }

  #getSource([teamId]: readonly [teamId: string, ...others: unknown[]]): HealthDataSource {
    return this.#others.get(teamId.toLowerCase()) ?? this.#store;
  }
}

type Read<Name extends keyof HealthDataSource> = HealthDataSource[Name];
