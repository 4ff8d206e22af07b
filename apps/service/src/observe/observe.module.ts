import { Controller, Get, Headers, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AccessStore } from '../access/access-store.ts';
import { Public } from '../access/operation.decorator.ts';
import { AuditTrail } from '../audit/trail/audit-trail.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource } from '@caregate/data-store';
import { MetricsToken } from './metrics-token.ts';
import { Metrics } from './metrics.ts';
import { PART_WORDS, unavailableParts } from './readiness.ts';

@Controller()
@Public()
class HealthController {
  readonly #source: HealthDataSource;
  readonly #access: AccessStore;
  readonly #audit: AuditTrail;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(AccessStore) access: AccessStore,
    @Inject(AuditTrail) audit: AuditTrail,
  ) {
    this.#source = source;
    this.#access = access;
    this.#audit = audit;
  }

  @Get('healthz')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** A failing upstream affects only its own teams, on every instance: ready, but degraded. */
  @Get('readyz')
  async ready(): Promise<{ status: string; detail?: string }> {
    const [source, access, auditTrail] = [this.#source, this.#access, this.#audit];
    const failed = await unavailableParts({ source, access, auditTrail });
    if (failed.size > 0) {
      const detail = `Unavailable: ${[...failed.keys()].map((part) => PART_WORDS[part]).join(', ')}.`;
      const [cause] = failed.values();
      throw new ProblemError(
        { type: 'unavailable', detail, headers: { 'retry-after': '5' } },
        { cause },
      );
    }
    return this.#source.degraded()
      ? {
          status: 'degraded',
          detail: 'An upstream is failing; requests of its teams are answered with 503.',
        }
      : { status: 'ready' };
  }
}

/** For whoever has the token of the data folder: no key of a team may read what is of all of them. */
@Controller('metrics')
@Public()
class MetricsController {
  readonly #metrics: Metrics;
  readonly #token: MetricsToken;

  constructor(@Inject(Metrics) metrics: Metrics, @Inject(MetricsToken) token: MetricsToken) {
    this.#metrics = metrics;
    this.#token = token;
  }

  @Get()
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!this.#token.isIn(authorization)) {
      throw new ProblemError({
        type: 'unauthorized',
        detail: 'The token in the file metrics-token of the data folder is required.',
        headers: { 'www-authenticate': 'Bearer realm="caregate metrics"' },
      });
    }
    reply.type(this.#metrics.contentType);
    return await this.#metrics.text();
  }
}

@Module({})
export class ObserveModule {
  static with(parts: {
    readonly metrics: Metrics;
    readonly metricsToken: MetricsToken;
  }): DynamicModule {
    return {
      module: ObserveModule,
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: Metrics, useValue: parts.metrics },
        { provide: MetricsToken, useValue: parts.metricsToken },
      ],
    };
  }
}
