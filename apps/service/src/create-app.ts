import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RawServerDefault } from 'fastify';
import { AppModule } from './app.module.ts';
import { AnonymousCounts } from './audit/anonymous-counts.ts';
import { sendAnswers } from './common/answer.ts';
import { LIMITS, type Limits } from './config/limits.ts';
import { acceptSearchForms } from './fhir/search-forms.ts';
import { registerClientAddresses } from './http/client-address.ts';
import { NestLog } from './http/nest-log.ts';
import { ProblemFilter } from './http/problem.filter.ts';
import { RequestHooks } from './http/request-hooks.ts';
import { RouteTable } from './http/route-table.ts';
import { SchemaPipe } from './http/schema.pipe.ts';
import { buildServerOptions } from './http/server-options.ts';
import type { Resources } from './resources.module.ts';

/**
 * `app.close()` waits for running requests (`limits.shutdownMs` at most), then closes the data source, the stores and
 * the audit log.
 */
export async function createApp(resources: Resources): Promise<NestFastifyApplication> {
  const { config, certificate, logger } = resources;
  const limits = { ...LIMITS, ...resources.limits };
  const anonymous = new AnonymousCounts(resources.audit);
  const onClientError = (status: number, address: string): void => {
    anonymous.add('none', status, address);
  };
  const adapter = new FastifyAdapter<RawServerDefault>(
    buildServerOptions(limits, onClientError, certificate),
  );
  const fastify = adapter.getInstance();
  // The service accepts only JSON. Nest's parsers would also accept forms.
  fastify.removeContentTypeParser('text/plain');
  acceptSearchForms(fastify);
  sendAnswers(fastify, config.profile);
  registerClientAddresses(fastify, config.trustedProxies);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(resources, limits, anonymous),
    adapter,
    { logger: new NestLog(logger), abortOnError: false, bodyParser: false },
  );
  const routes = RouteTable.collect(fastify);
  const { shutdownMs } = limits;
  const answerWithinMs = timeToAnswer(resources, limits);
  app.get(RequestHooks).register(fastify, { routes, answerWithinMs, shutdownMs });
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(app.get(ProblemFilter));
  await app.init();
  routes.requireOperations();
  await fastify.ready();
  return app;
}

/** Returns the timeout of a request. An upstream has its own timeout, which must expire before this one. */
function timeToAnswer({ upstreams }: Resources, limits: Limits): number {
  return (upstreams?.size ?? 0) === 0
    ? limits.requestMs
    : Math.max(limits.requestMs, 2 * limits.upstreamMs);
}
