import { Controller, Get, Inject } from '@nestjs/common';
import { AccessStore } from '../access/access-store.ts';
import { Public } from '../access/operation.decorator.ts';
import { AuditTrail } from '../audit/trail/audit-trail.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { Draining } from './draining.ts';
import { HealthDataSource } from '../source/health-data-source.ts';

/** For whoever runs the service: is the process alive, can it answer now. */
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

  /**
   * Really asks the store, the keys and the audit log: a service that lacks one of them answers nothing. An upstream
   * that fails takes its own team's reads alone, on every instance alike: ready, and said to be degraded.
   */
  @Get('readyz')
  async ready(): Promise<{ status: string; detail?: string }> {
    if (this.#draining.begun) {
      const detail = 'This instance is about to stop.';
      throw new ProblemError({ type: 'unavailable', detail, headers: { 'retry-after': '5' } });
    }
    try {
      await Promise.all([this.#source.ready(), this.#access.ready()]);
      if (!this.#audit.isOpen()) {
        throw new Error('The audit log takes no records');
      }
    } catch (cause) {
      const detail = 'Nothing can be read, or recorded, now.';
      throw new ProblemError(
        { type: 'unavailable', detail, headers: { 'retry-after': '5' } },
        { cause },
      );
    }
    return this.#source.degraded()
      ? { status: 'degraded', detail: 'An upstream fails; the teams read from it get 503.' }
      : { status: 'ready' };
  }
}
