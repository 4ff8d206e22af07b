import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RawServerDefault } from 'fastify';
import { assertEveryRouteHasARow, assertRoutesOfTheTable } from './access/route-check.ts';
import { AppModule } from './app.module.ts';
import type { Limits } from './config/limits.ts';
import { takeSearchForms } from './fhir/fhir.module.ts';
import { registerClientAddresses } from './http/address/client-address.ts';
import { NestLog } from './http/nest-log.ts';
import { SchemaPipe } from './http/schema.pipe.ts';
import { RouteTable } from './http/route-table.ts';
import { serverOptions } from './http/server-options.ts';
import { registerRequestSteps } from './request-steps.ts';
import { serviceParts, type OpenedParts } from './service-parts.ts';
import { ProblemFilter } from './http/problem.filter.ts';

/** `app.close()` waits for running requests, `limits.shutdownMs` at most, then closes source, stores and log. */
export async function createApp(opened: OpenedParts): Promise<NestFastifyApplication> {
  const parts = await serviceParts(opened);
  const { config, limits, logger, anonymous, requestLog } = parts;
  const adapter = new FastifyAdapter<RawServerDefault>(
    serverOptions(
      limits,
      (status, address) => {
        anonymous.add('none', status, address);
      },
      opened.certificate,
    ),
  );
  const fastify = adapter.getInstance();

  // Only JSON; Nest's parsers would accept forms.
  fastify.removeContentTypeParser('text/plain');
  takeSearchForms(fastify);

  const routes = RouteTable.of(fastify);
  registerClientAddresses(fastify, config.trustedProxies);
  registerRequestSteps(fastify, parts, { routes, answerWithinMs: answerWithinMs(parts) });
  const problems = new ProblemFilter(requestLog);
  fastify.addHook('preClose', (done) => {
    problems.isClosing = true;
    setTimeout(() => {
      fastify.server.closeAllConnections();
    }, limits.shutdownMs).unref();
    done();
  });

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    logger: new NestLog(logger),
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(problems);
  await app.init();
  assertRoutesOfTheTable(assertEveryRouteHasARow(app, routes));
  await fastify.ready();
  return app;
}

/** An upstream has its own timeout, which must end a read before this one does. */
function answerWithinMs({ limits, upstreams }: OpenedParts & { limits: Limits }): number {
  return (upstreams?.size ?? 0) === 0
    ? limits.requestMs
    : Math.max(limits.requestMs, 2 * limits.upstreamMs);
}
