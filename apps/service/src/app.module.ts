import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.ts';
import { AuditModule } from './audit/audit.module.ts';
import { AnonymousCounts } from './audit/anonymous-counts.ts';
import { AuditAlarms } from './audit/audit-alarms.ts';
import { SelfVerification } from './audit/self-verification.ts';
import { RESOURCES } from './common/tokens.ts';
import type { Limits } from './config/limits.ts';
import { FhirModule } from './fhir/fhir.module.ts';
import { HttpModule } from './http/http.module.ts';
import { InsuranceModule } from './insurance/insurance.module.ts';
import { DiskWatch } from './health/disk-watch.ts';
import { HealthModule } from './health/health.module.ts';
import { OpenApiModule } from './openapi/openapi.module.ts';
import { OrdersModule } from './orders/orders.module.ts';
import { ResourcesModule, type Resources } from './resources.module.ts';
import { SourceModule } from './source/source.module.ts';
import { TimeseriesModule } from './timeseries/timeseries.module.ts';
import { UsersModule } from './users/users.module.ts';

@Module({})
export class AppModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    private readonly disk: DiskWatch,
    private readonly selfVerification: SelfVerification,
    private readonly alarms: AuditAlarms,
    private readonly anonymous: AnonymousCounts,
  ) {}

  static with(resources: Resources, limits: Limits, anonymous: AnonymousCounts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ResourcesModule.with(resources, limits, anonymous),
        SourceModule.with(resources, limits),
        HttpModule,
        AuthModule,
        UsersModule,
        OrdersModule,
        InsuranceModule,
        TimeseriesModule,
        FhirModule,
        AuditModule,
        HealthModule,
        OpenApiModule,
      ],
    };
  }

  onApplicationBootstrap(): void {
    this.disk.start();
    this.resources.checkpointCopy.start();
    this.selfVerification.start();
  }

  /**
   * Runs after the last response was sent. The audit log is closed last, since closing the others may add records to
   * it.
   */
  async onApplicationShutdown(): Promise<void> {
    const { access, auditTrail, audit, checkpointCopy } = this.resources;
    await this.selfVerification.close();
    this.disk.stop();
    await Promise.all([access.close(), this.alarms.close(), this.anonymous.close()]);
    await checkpointCopy.close();
    await auditTrail.close();
    await audit.close();
  }
}
