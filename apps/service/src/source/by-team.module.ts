import { HttpModule, HttpService } from '@nestjs/axios';
import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { SourceByTeam } from './by-team.source.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from './health-data-source.ts';
import { allowOnly, upstreamHttp, type UpstreamHttp } from './upstream/upstream-http.ts';
import { UpstreamSource } from './upstream/upstream-source.ts';
import { UpstreamTransport } from './upstream/upstream-transport.ts';
import type { Upstreams } from './upstream/upstreams-file.ts';

export interface SourceParts {
  readonly store: HealthDataSource;
  readonly upstreams: Upstreams;
  /** For one read of an upstream, retries included. */
  readonly upstreamTimeoutMs: number;
}

const HTTP = Symbol('UpstreamHttp');

/** Where health data comes from: the store, or for the teams that have one their upstream. It closes what it reads. */
@Module({})
export class SourceModule implements OnApplicationShutdown {
  readonly #source: HealthDataSource;
  readonly #http: UpstreamHttp;

  constructor(
    @Inject(HEALTH_DATA_SOURCE) source: HealthDataSource,
    @Inject(HTTP) http: UpstreamHttp,
  ) {
    this.#source = source;
    this.#http = http;
  }

  static with(parts: SourceParts): DynamicModule {
    const http = upstreamHttp();
    return {
      module: SourceModule,
      imports: [HttpModule.register(http)],
      providers: [
        { provide: HTTP, useValue: http },
        {
          provide: HEALTH_DATA_SOURCE,
          useFactory: ({ axiosRef }: HttpService) => sourceOf(parts, axiosRef),
          inject: [HttpService],
        },
      ],
      exports: [HEALTH_DATA_SOURCE],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#source.close();
    this.#http.httpAgent.destroy();
    this.#http.httpsAgent.destroy();
  }
}

function sourceOf(
  { store, upstreams, upstreamTimeoutMs }: SourceParts,
  axios: HttpService['axiosRef'],
): HealthDataSource {
  if (upstreams.size === 0) {
    return store;
  }
  const settings = [...upstreams.values()];
  allowOnly(
    settings.map(({ baseUrl }) => baseUrl),
    axios,
  );
  const parts = { transport: new UpstreamTransport(axios), timeoutMs: upstreamTimeoutMs };
  return new SourceByTeam(
    store,
    new Map([...upstreams].map(([team, each]) => [team, new UpstreamSource(each, parts)])),
  );
}
