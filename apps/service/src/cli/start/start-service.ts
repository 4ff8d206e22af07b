import type { DestinationStream } from 'pino';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemEntry } from '../../audit/system-record.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { createApp } from '../../create-app.ts';
import { createLogger } from '../../observe/logger.ts';
import { Draining } from '../../observe/draining.ts';
import { upstreamsOf } from '../../source/upstream/upstreams-file.ts';
import { openAccess } from './open-access.ts';
import { openAudit } from './open-audit.ts';
import { openSource } from './open-source.ts';
import { operatorError } from './run-command.ts';

/** A service that answers. */
export interface Started {
  readonly baseUrl: string;
  /** Lets running requests finish for a while, then closes everything, connections that idle too. */
  stop(): Promise<void>;
}

/**
 * Opens the data folder and serves it; what both `serve` and `demo` do.
 *
 * @throws OperatorError if the folder, the address or the configuration is not usable; nothing is left open
 */
export async function startService(
  config: ServiceConfig,
  logTo: DestinationStream,
): Promise<Started> {
  const opened: { close(): Promise<void> }[] = [];
  try {
    const logger = createLogger(config.logLevel, logTo);
    const upstreams = upstreamsOf(config, process.env);
    const source = await openSource(config, logger);
    opened.push(source);
    const access = await openAccess(config);
    opened.push(access);
    const { isNew, ...log } = await openAudit(config);
    const { audit, auditTrail, auditEvents } = log;
    opened.push(audit, auditTrail);
    auditEvents.on('interrupted', (message) => {
      logger.error(message);
    });
    auditEvents.on('resumed', (message) => {
      logger.warn(message);
    });
    const app = await createApp({ config, source, upstreams, access, logger, ...log });
    // From here on the app closes what it was given.
    opened.splice(0, opened.length, app);
    await audit.record(systemEntry('startUp'));
    // Not Nest's own `listen`, which logs a failure that is told here in plain words.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const baseUrl = `http://${urlHost(config.host)}:${port}`;
    if (isNew) {
      const words = 'audit log created; keep its public key in another place';
      logger.info({ audit_key: audit.verifierKey }, words);
    }
    logger.info({ base_url: baseUrl, upstream_teams: upstreams.size }, 'ready');
    return {
      baseUrl,
      stop: async () => {
        logger.info('stopping');
        app.get(Draining, { strict: false }).begin();
        await sleep(config.drainMs);
        await app.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    for (const part of opened.reverse()) {
      await part.close().catch(() => undefined);
    }
    throw operatorError(error, config);
  }
}

/** Runs a last step of a start; where it fails, the service is stopped before the failure is told. */
export async function orStop(service: Started, step: () => void | Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** The host of an address that works from this machine. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') {
    return '127.0.0.1';
  }
  if (host === '::') {
    return '[::1]';
  }
  return host.includes(':') ? `[${host}]` : host;
}
