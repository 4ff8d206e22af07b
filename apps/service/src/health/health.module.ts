import { Controller, Get, Global, Headers, Inject, Module, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AccessStore } from '../auth/access-store.ts';
import { Public } from '../auth/operation.decorator.ts';
import { AuditTrail } from '../audit/trail/audit-trail.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource } from '@caregate/data-store';
import type { Resources } from '../resources.module.ts';
import { AuditAlarms } from '../audit/audit-alarms.ts';
import { SelfVerification } from '../audit/self-verification.ts';
import { PERMANENT_SECRET, RESOURCES } from '../common/tokens.ts';
import { DiskWatch, readSpace } from './disk-watch.ts';
import { registerGauges } from './gauges.ts';
import { MetricsToken } from './metrics-token.ts';
import { Metrics } from './metrics.ts';
import { PART_WORDS, findUnavailableParts } from './readiness.ts';

@Controller()
class HealthController {
  constructor(
    private readonly source: HealthDataSource,
    private readonly access: AccessStore,
    private readonly auditTrail: AuditTrail,
  ) {}

  @Get('healthz')
  @Public('healthz')
  getLiveness(): { status: string } {
    return { status: 'ok' };
  }

  /** Reports ready, but degraded, if an upstream fails, since that affects only its own teams and all instances. */
  @Get('readyz')
  @Public('readyz')
  async getReadiness(): Promise<{ status: string; detail?: string }> {
    const { source, access, auditTrail } = this;
    const failed = await findUnavailableParts({ source, access, auditTrail });
    if (failed.size > 0) {
      const detail = `Unavailable: ${[...failed.keys()].map((part) => PART_WORDS[part]).join(', ')}.`;
      const [cause] = failed.values();
      throw new ProblemError(
        { type: 'unavailable', detail, headers: { 'retry-after': '5' } },
        { cause },
      );
    }
    return source.isDegraded()
      ? {
          status: 'degraded',
          detail: 'An upstream is failing; requests of its teams are answered with 503.',
        }
      : { status: 'ready' };
  }
}

/** Requires the metrics token of the data folder. A team's API key must not read metrics of all teams. */
@Controller('metrics')
class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly token: MetricsToken,
  ) {}

  @Get()
  @Public('metrics')
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!this.token.matches(authorization)) {
      throw new ProblemError({
        type: 'unauthorized',
        detail: 'The token in the file metrics-token of the data folder is required.',
        headers: { 'www-authenticate': 'Bearer realm="caregate metrics"' },
      });
    }
    reply.type(this.metrics.contentType);
    return await this.metrics.formatText();
  }
}

@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: Metrics, useFactory: () => new Metrics() },
    {
      provide: MetricsToken,
      useFactory: (secret: Buffer) => new MetricsToken(secret),
      inject: [PERMANENT_SECRET],
    },
    {
      provide: DiskWatch,
      useFactory: ({ diskSpace, config, logger }: Resources, alarms: AuditAlarms) =>
        new DiskWatch(diskSpace ?? (() => readSpace(config.dataDir)), logger, (space) => {
          alarms.raise('disk-space', { ...space });
        }),
      inject: [RESOURCES, AuditAlarms],
    },
  ],
  exports: [DiskWatch, Metrics],
})
export class HealthModule {
  constructor(
    @Inject(RESOURCES) resources: Resources,
    metrics: Metrics,
    disk: DiskWatch,
    selfVerification: SelfVerification,
  ) {
    registerGauges(metrics, { ...resources, disk, selfVerification });
  }
}
