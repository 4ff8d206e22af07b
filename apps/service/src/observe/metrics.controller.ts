import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/operation.decorator.ts';
import { Metrics } from './metrics.ts';

/** Without authentication: a proxy must not expose it to the outside (see the README). */
@Controller('metrics')
@Public()
export class MetricsController {
  readonly #metrics: Metrics;

  constructor(@Inject(Metrics) metrics: Metrics) {
    this.#metrics = metrics;
  }

  @Get()
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(this.#metrics.contentType);
    return await this.#metrics.text();
  }
}
