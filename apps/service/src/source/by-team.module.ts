import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Limits } from '../config/limits.ts';
import {
  HealthDataSource,
  type Imports,
  type SourceCall,
  type SourceName,
  type SourceQuery,
  type SourceResult,
  UpstreamSource,
  type Upstreams,
} from '@caregate/data-store';
import { UpstreamHttp } from './upstream-http.ts';

export interface SourceParts {
  readonly source: HealthDataSource;
  readonly upstreams?: Upstreams;
  readonly limits: Pick<Limits, 'upstreamMs'>;
}

@Module({})
export class SourceModule implements OnApplicationShutdown {
  readonly #source: HealthDataSource;
  readonly #http: UpstreamHttp;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(UpstreamHttp) http: UpstreamHttp,
  ) {
    this.#source = source;
    this.#http = http;
  }

  static with(parts: SourceParts): DynamicModule {
    const http = new UpstreamHttp(
      [...(parts.upstreams?.values() ?? [])].map(({ baseUrl }) => baseUrl),
    );
    return {
      module: SourceModule,
      global: true,
      providers: [
        { provide: UpstreamHttp, useValue: http },
        { provide: HealthDataSource, useFactory: () => sourceOf(parts, http) },
      ],
      exports: [HealthDataSource],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#source.close();
    this.#http.close();
  }
}

function sourceOf(
  { source, upstreams = new Map(), limits }: SourceParts,
  transport: UpstreamHttp,
): HealthDataSource {
  if (upstreams.size === 0) {
    return source;
  }
  const parts = { transport, timeoutMs: limits.upstreamMs };
  return new SourceByTeam(
    source,
    new Map([...upstreams].map(([team, each]) => [team, new UpstreamSource(each, parts)])),
  );
}

/** Reads teams with an upstream from it, and all others from the store. */
class SourceByTeam implements HealthDataSource {
  readonly #store: HealthDataSource;
  readonly #upstreams: ReadonlyMap<string, UpstreamSource>;

  constructor(store: HealthDataSource, upstreams: ReadonlyMap<string, UpstreamSource>) {
    this.#store = store;
    this.#upstreams = upstreams;
  }

  read<Name extends SourceName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>> {
    const upstream = this.#upstreams.get(teamId.toLowerCase());
    return upstream === undefined
      ? this.#store.read(operation, teamId, query, call)
      : upstream.read(operation, query, call);
  }

  /** An upstream that is down does not make the service unready. */
  async ready(): Promise<void> {
    await this.#store.ready();
  }

  degraded(): boolean {
    return [this.#store, ...this.#upstreams.values()].some((source) => source.degraded());
  }

  imports(): Promise<Imports> {
    return this.#store.imports();
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
