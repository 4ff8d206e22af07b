import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { AccessStore } from './access/access-store.ts';
import type { ServiceConfig } from './config/service-config.ts';
import type { Metrics } from './observe/metrics.ts';
import { ObserveModule } from './observe/observe.module.ts';
import { OpenApiModule } from './openapi/openapi.module.ts';
import { ReadsModule } from './reads/reads.module.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from './source/health-data-source.ts';

export interface ModuleParts {
  readonly config: ServiceConfig;
  readonly source: HealthDataSource;
  readonly access: AccessStore;
  readonly metrics: Metrics;
}

/** The whole service. It owns the store and the keys it was given: they are closed when the last answer is out. */
@Module({})
export class AppModule implements OnApplicationShutdown {
  readonly #source: HealthDataSource;
  readonly #access: AccessStore;

  constructor(
    @Inject(HEALTH_DATA_SOURCE) source: HealthDataSource,
    @Inject(AccessStore) access: AccessStore,
  ) {
    this.#source = source;
    this.#access = access;
  }

  static with({ config, source, access, metrics }: ModuleParts): DynamicModule {
    return {
      module: AppModule,
      global: true,
      imports: [
        AccessModule.with({ store: access, config }),
        ReadsModule.with({ pageSize: config.pageSize }),
        ObserveModule.with({ metrics }),
        OpenApiModule,
      ],
      providers: [{ provide: HEALTH_DATA_SOURCE, useValue: source }],
      exports: [HEALTH_DATA_SOURCE],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.#source.close(), this.#access.close()]);
  }
}
