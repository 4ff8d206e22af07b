import type {
  HealthDataSource,
  Imports,
  NoResult,
  OrdersPage,
  OrdersQuery,
  PeopleAsked,
  PeopleFound,
  PointsPage,
  PointsQuery,
  SourceCall,
  Stored,
  StoredHistory,
  StoredResult,
  UsersPage,
} from './health-data-source.ts';

/** Reads teams with an upstream from it, and all others from the store. */
export class SourceByTeam implements HealthDataSource {
  readonly #store: HealthDataSource;
  readonly #upstreams: ReadonlyMap<string, HealthDataSource>;

  /** @param upstreams by team id in lower case */
  constructor(store: HealthDataSource, upstreams: ReadonlyMap<string, HealthDataSource>) {
    this.#store = store;
    this.#upstreams = upstreams;
  }

  resolveUser(
    teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<Stored | undefined> {
    return this.#of(teamId).resolveUser(teamId, clientUserId, call);
  }

  listUsers(
    teamId: string,
    page: { offset: number; limit: number },
    call?: SourceCall,
  ): Promise<UsersPage> {
    return this.#of(teamId).listUsers(teamId, page, call);
  }

  latestInsurance(
    teamId: string,
    userId: string,
    isPrimary: boolean,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-insurance'> {
    return this.#of(teamId).latestInsurance(teamId, userId, isPrimary, call);
  }

  labOrderResult(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | NoResult | undefined> {
    return this.#of(teamId).labOrderResult(teamId, orderId, call);
  }

  mindfulnessMinutes(
    teamId: string,
    query: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined> {
    return this.#of(teamId).mindfulnessMinutes(teamId, query, call);
  }

  userInfo(
    teamId: string,
    userId: string,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-info'> {
    return this.#of(teamId).userInfo(teamId, userId, call);
  }

  listOrders(teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage> {
    return this.#of(teamId).listOrders(teamId, query, call);
  }

  searchPeople(teamId: string, query: PeopleAsked, call?: SourceCall): Promise<PeopleFound> {
    return this.#of(teamId).searchPeople(teamId, query, call);
  }

  orderHistory(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredHistory | undefined> {
    return this.#of(teamId).orderHistory(teamId, orderId, call);
  }

  async ready(): Promise<void> {
    await this.#store.ready();
  }

  degraded(): boolean {
    return [this.#store, ...this.#upstreams.values()].some((source) => source.degraded());
  }

  imports(): Promise<Imports | undefined> {
    return this.#store.imports();
  }

  async close(): Promise<void> {
    await Promise.all([this.#store, ...this.#upstreams.values()].map((source) => source.close()));
  }

  #of(teamId: string): HealthDataSource {
    return this.#upstreams.get(teamId.toLowerCase()) ?? this.#store;
  }
}
