import { Controller, Get, Inject } from '@nestjs/common';
import { AccessStore } from '../access/access-store.ts';
import { Public } from '../access/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from '../source/health-data-source.ts';

/** For whoever runs the service: is the process alive, can it answer now. */
@Controller()
@Public()
export class HealthController {
  readonly #source: HealthDataSource;
  readonly #access: AccessStore;

  constructor(
    @Inject(HEALTH_DATA_SOURCE) source: HealthDataSource,
    @Inject(AccessStore) access: AccessStore,
  ) {
    this.#source = source;
    this.#access = access;
  }

  @Get('healthz')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** Really asks the store and the keys, since a service that cannot read either answers nothing. */
  @Get('readyz')
  async ready(): Promise<{ status: string }> {
    try {
      await Promise.all([this.#source.ready(), this.#access.ready()]);
    } catch (cause) {
      const detail = 'The data cannot be read now.';
      throw new ProblemError(
        { type: 'unavailable', detail, headers: { 'retry-after': '5' } },
        { cause },
      );
    }
    return { status: 'ready' };
  }
}
