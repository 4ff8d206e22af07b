import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { SecureContextOptions } from 'node:tls';
import type { Logger } from 'pino';
import { AccessStore } from './auth/access-store.ts';
import { AnonymousCounts } from './audit/anonymous-counts.ts';
import type { CheckpointCopy } from './audit/checkpoint-copy.ts';
import type { AuditRecorder } from './audit/audit-record.ts';
import { AuditTrail } from './audit/trail/audit-trail.ts';
import {
  AUDIT_RECORDER,
  CONFIG,
  LIMITS_IN_FORCE,
  LOGGER,
  PERMANENT_SECRET,
  PERMISSIONS_IN_FORCE,
  RESOURCES,
} from './common/tokens.ts';
import type { Limits } from './config/limits.ts';
import type { ServiceConfig } from './config/service-config.ts';
import type { DiskSpace } from './health/disk-watch.ts';
import type { OpenedAudit } from './open-data.ts';
import { parseNarrowing } from './operations/permission-table.ts';
import type { HealthDataSource, Upstreams } from '@caregate/data-store';

/** What is opened before the application is created, so that a start can be refused. The application closes it. */
export interface Resources extends Omit<OpenedAudit, 'audit'> {
  readonly config: ServiceConfig;
  /** Replaces some of the limits in specs. */
  readonly limits?: Partial<Limits>;
  /** Data of the teams without an upstream. */
  readonly source: HealthDataSource;
  readonly upstreams?: Upstreams;
  readonly access: AccessStore;
  readonly audit: AuditRecorder;
  /** Replaces the disk of the data folder in specs. */
  readonly diskSpace?: () => Promise<DiskSpace>;
  readonly checkpointCopy: CheckpointCopy;
  readonly certificate?: SecureContextOptions | undefined;
  readonly logger: Logger;
}

@Global()
@Module({})
export class ResourcesModule {
  static with(resources: Resources, limits: Limits, anonymous: AnonymousCounts): DynamicModule {
    const values = new Map<unknown, unknown>([
      [RESOURCES, resources],
      [CONFIG, resources.config],
      [LIMITS_IN_FORCE, limits],
      [LOGGER, resources.logger],
      [PERMISSIONS_IN_FORCE, parseNarrowing(resources.config.narrow)],
      [AUDIT_RECORDER, resources.audit],
      [AccessStore, resources.access],
      [AuditTrail, resources.auditTrail],
      [AnonymousCounts, anonymous],
    ]);
    const secret = {
      provide: PERMANENT_SECRET,
      useFactory: () => resources.access.secrets.getPermanentSecret(),
    };
    const tokens = [...values.keys()] as symbol[];
    return {
      module: ResourcesModule,
      providers: [...tokens.map((provide) => ({ provide, useValue: values.get(provide) })), secret],
      exports: [...tokens, PERMANENT_SECRET],
    };
  }
}
