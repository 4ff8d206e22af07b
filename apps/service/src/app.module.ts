import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import type { AccessStore } from './access/access-store.ts';
import type { AuditRecorder } from './audit/audit-entry.ts';
import type { AnonymousCounts } from './audit/http/anonymous-counts.ts';
import { AuditAlarms } from './audit/http/audit-alarms.ts';
import { AuditHttpModule } from './audit/http/audit-http.module.ts';
import { AuditTrail } from './audit/http/audit-trail.ts';
import type { ServiceConfig } from './config/service-config.ts';
import type { Metrics } from './observe/metrics.ts';
import { ObserveModule } from './observe/observe.module.ts';
import { OpenApiModule } from './openapi/openapi.module.ts';
import { ReadsModule } from './reads/reads.module.ts';
import { SourceModule } from './source/by-team.module.ts';
import type { HealthDataSource } from './source/health-data-source.ts';
import type { Upstreams } from './source/upstream/upstreams-file.ts';

export interface ModuleParts {
  readonly config: ServiceConfig;
  readonly source: HealthDataSource;
  readonly upstreams?: Upstreams;
  readonly access: AccessStore;
  readonly audit: AuditRecorder;
  readonly auditTrail: AuditTrail;
  readonly alarms: AuditAlarms;
  readonly anonymous: AnonymousCounts;
  readonly metrics: Metrics;
}

const PARTS = Symbol('ModuleParts');

/** The whole service. It owns the stores and the log it was given: they are closed when the last answer is out. */
@Module({})
export class AppModule implements OnApplicationShutdown {
  readonly #parts: ModuleParts;

  constructor(@Inject(PARTS) parts: ModuleParts) {
    this.#parts = parts;
  }

  static with(parts: ModuleParts): DynamicModule {
    const { config, source, access, metrics, auditTrail, alarms } = parts;
    const { upstreamTimeoutMs } = config;
    const upstreams: Upstreams = parts.upstreams ?? new Map();
    return {
      module: AppModule,
      global: true,
      imports: [
        SourceModule.with({ store: source, upstreams, upstreamTimeoutMs }),
        AccessModule.with({ store: access, config }),
        ReadsModule.with({ pageSize: config.pageSize, profile: config.profile }),
        ObserveModule.with({ metrics }),
        AuditHttpModule,
        OpenApiModule.with({ profile: config.profile }),
      ],
      providers: [
        { provide: PARTS, useValue: parts },
        { provide: AuditTrail, useValue: auditTrail },
        { provide: AuditAlarms, useValue: alarms },
      ],
      exports: [SourceModule, AuditTrail, AuditAlarms],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const { access, alarms, anonymous, auditTrail, audit } = this.#parts;
    await Promise.all([access.close(), alarms.close(), anonymous.close()]);
    await auditTrail.close();
    await audit.close();
  }
}
