import { Controller, Get, Inject } from '@nestjs/common';
import { AccessStore } from '../access/access-store.ts';
import { Public } from '../access/operation.decorator.ts';
import { AuditTrail } from '../audit/trail/audit-trail.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { PART_WORDS, unavailableParts } from './readiness.ts';
import { HealthDataSource } from '../source/health-data-source.ts';

@Controller()
@Public()
export class HealthController {
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
