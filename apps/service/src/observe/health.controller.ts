import { Controller, Get, Inject } from '@nestjs/common';
import { AccessStore } from '../access/access-store.ts';
import { Public } from '../access/operation.decorator.ts';
import { AuditTrail } from '../audit/trail/audit-trail.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { Draining } from './draining.ts';
import { HealthDataSource } from '../source/health-data-source.ts';

@Controller()
@Public()
export class HealthController {
  readonly #source: HealthDataSource;
  readonly #access: AccessStore;
  readonly #audit: AuditTrail;
  readonly #draining: Draining;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(AccessStore) access: AccessStore,
    @Inject(AuditTrail) audit: AuditTrail,
    @Inject(Draining) draining: Draining,
  ) {
    this.#source = source;
    this.#access = access;
    this.#audit = audit;
    this.#draining = draining;
  }

  @Get('healthz')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** A failing upstream affects only its own teams, on every instance: ready, but degraded. */
  @Get('readyz')
  async ready(): Promise<{ status: string; detail?: string }> {
    if (this.#draining.begun) {
      const detail = 'This instance is shutting down.';
      throw new ProblemError({ type: 'unavailable', detail, headers: { 'retry-after': '5' } });
    }
    const parts = {
      'data store': this.#source.ready(),
      'key store': this.#access.ready(),
      'audit log': this.#audit.isOpen() ? Promise.resolve() : Promise.reject(new Error('Closed')),
    };
    const states = await Promise.allSettled(Object.values(parts));
    const failed = Object.keys(parts).filter((_, at) => states[at]?.status === 'rejected');
    if (failed.length > 0) {
      const detail = `Unavailable: ${failed.join(', ')}.`;
      const cause: unknown = states.find((state) => state.status === 'rejected')?.reason;
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
