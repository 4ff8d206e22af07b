import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RawServerDefault } from 'fastify';
import type { Logger } from 'pino';
import type { AccessStore } from './access/access-store.ts';
import { registerRateLimits } from './access/limits/rate-limits.ts';
import { parseNarrowing } from './access/permission-table.ts';
import { assertEveryRouteHasARow, RouteWatch } from './access/route-check.ts';
import { AppModule } from './app.module.ts';
import type { AuditRecorder } from './audit/audit-entry.ts';
import { AnonymousCounts } from './audit/http/anonymous-counts.ts';
import { AnswerEntries } from './audit/http/answer-entry.ts';
import { AuditAlarms } from './audit/http/audit-alarms.ts';
import type { AuditTrail } from './audit/http/audit-trail.ts';
import { ClientUserIds } from './audit/http/client-user-ids.ts';
import { GuardedRoutes } from './audit/http/guarded-routes.ts';
import { recordAnswers } from './audit/http/record-answers.ts';
import { RecordIds } from './audit/record-ids.ts';
import type { ServiceConfig } from './config/service-config.ts';
import { registerClientAddresses } from './http/client-address.ts';
import { NestLog } from './http/nest-log.ts';
import { registerAnswerHeaders, registerRequestChecks } from './http/request-hooks.ts';
import { refuseWhileClosing } from './http/refuse-while-closing.ts';
import { SchemaPipe } from './http/schema.pipe.ts';
import { RouteTable } from './http/route-table.ts';
import { serverOptions } from './http/server-options.ts';
import { Metrics } from './observe/metrics.ts';
import { RequestLog } from './http/request-log.ts';
import { observeRequests } from './observe/observe-requests.ts';
import { ProblemFilter } from './http/problem.filter.ts';
import type { HealthDataSource } from './source/health-data-source.ts';
import type { Upstreams } from './source/upstream/upstreams-file.ts';

export interface AppParts {
  readonly config: ServiceConfig;
  /** Read for every team that has no upstream. */
  readonly source: HealthDataSource;
  /** Teams whose data is read elsewhere; none unless given. */
  readonly upstreams?: Upstreams;
  readonly access: AccessStore;
  /** Where every answer is recorded before it leaves. */
  readonly audit: AuditRecorder;
  /** The same log, for its auditors to read. */
  readonly auditTrail: AuditTrail;
  readonly logger: Logger;
}

/**
 * The service, complete and not yet listening. `app.close()` lets running requests finish (for `shutdownTimeoutMs` at
 * most), then closes the source, the access store and, last, the audit log too.
 *
 * @throws where a route has no row in the permission table, or the narrowing is wrong: the service does not start
 */
export async function createApp(parts: AppParts): Promise<NestFastifyApplication> {
  const { config, logger, access, audit } = parts;
  const metrics = new Metrics();
  const log = new RequestLog(logger);
  const table = parseNarrowing(config.narrow);
  const secret = await access.cursorSecret();
  const clientUserIds = new ClientUserIds(secret);
  const alarms = new AuditAlarms(audit, access.events);
  const anonymous = new AnonymousCounts(audit);
  const guarded = new GuardedRoutes();
  const adapter = new FastifyAdapter<RawServerDefault>(
    serverOptions(config, (status, address) => {
      anonymous.add('none', status, address);
    }),
  );
  const fastify = adapter.getInstance();

  // Bodies are JSON, by Fastify's own parser (which refuses `__proto__`); Nest's would take forms too.
  fastify.removeContentTypeParser('text/plain');

  // The order is the order in which a request meets them.
  const routes = RouteTable.of(fastify);
  const watch = RouteWatch.of(fastify);
  registerClientAddresses(fastify, config.trustedProxies);
  registerAnswerHeaders(fastify);
  recordAnswers(fastify, {
    audit,
    anonymous,
    log,
    routes: guarded,
    entries: new AnswerEntries(table, clientUserIds),
    recordIds: new RecordIds(secret),
  });
  observeRequests(fastify, { log, metrics });
  await registerRateLimits(fastify, config);
  refuseWhileClosing(fastify);
  registerRequestChecks(fastify, routes, config);
  fastify.addHook('preClose', (done) => {
    setTimeout(() => {
      fastify.server.closeAllConnections();
    }, config.shutdownTimeoutMs).unref();
    done();
  });

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with({ ...parts, metrics, alarms, anonymous }),
    adapter,
    { logger: new NestLog(logger), abortOnError: false, bodyParser: false },
  );
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(new ProblemFilter(log));
  await app.init();
  guarded.learn(assertEveryRouteHasARow(app, watch));
  await fastify.ready();
  return app;
}
