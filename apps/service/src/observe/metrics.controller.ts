import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { Metrics } from './metrics.ts';
import { MetricsToken } from './metrics-token.ts';

/** For whoever has the token of the data folder: no key of a team may read what is of all of them. */
@Controller('metrics')
@Public()
export class MetricsController {
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
