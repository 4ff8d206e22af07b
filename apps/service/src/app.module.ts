import {
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { AuditHttpModule } from './audit/audit-http.module.ts';
import { FhirModule } from './fhir/fhir.module.ts';
import { ObserveModule } from './observe/observe.module.ts';
import { OpenApiModule } from './openapi/openapi.module.ts';
import { ReadsModule } from './reads/reads.module.ts';
import type { ServiceParts } from './service-parts.ts';
import { SourceModule } from './source/by-team.module.ts';

@Module({})
export class AppModule {
  static with(parts: ServiceParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SourceModule.with(parts),
        AccessModule.with(parts),
        ReadsModule.with(parts),
        FhirModule.with(parts),
        AuditHttpModule.with(parts),
        ObserveModule.with(parts),
        OpenApiModule.with(parts),
      ],
      providers: [{ provide: Owner, useValue: new Owner(parts) }],
    };
  }
}

/** Closes the stores and the log after the last response. */
class Owner implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  onApplicationBootstrap(): void {
    this.#parts.disk.start();
    this.#parts.checkpointCopy?.start();
    this.#parts.selfVerification.start();
  }

  async onApplicationShutdown(): Promise<void> {
    const { access, alarms, anonymous, auditTrail, audit, disk } = this.#parts;
    await this.#parts.selfVerification.close();
    disk.stop();
    await Promise.all([access.close(), alarms.close(), anonymous.close()]);
    await this.#parts.checkpointLines.close();
    await this.#parts.checkpointCopy?.close();
    await auditTrail.close();
    await audit.close();
  }
}
