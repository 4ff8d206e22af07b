import type { OperationName as ReadName } from '@caregate/domain/operations';
import type {
  HealthDataSource,
  Imports,
  SourceCall,
  SourceQuery,
  SourceResult,
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

  read<Name extends ReadName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>> {
    const source = this.#upstreams.get(teamId.toLowerCase()) ?? this.#store;
    return source.read(operation, teamId, query, call);
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
}
