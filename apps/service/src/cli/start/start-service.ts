import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream, Logger } from 'pino';
import { Server as TlsServer } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceActs } from '../../audit/http/service-acts.ts';
import { commandActEntry } from '../../audit/record-acts.ts';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import { requireNoOtherCopy } from '../../audit/witness/checkpoint-copy.ts';
import { openWitnessing } from '../../audit/witness/open-witnessing.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { readCertificate, watchCertificate, type Certificate } from '../../http/tls-certificate.ts';
import { parseNarrowing } from '../../operations/permission-table.ts';
import { listeningUrl } from '../../http/public-url.ts';
import { createLogger } from '../../observe/logger.ts';
import { Draining } from '../../observe/draining.ts';
import { upstreamsOf } from '../../source/upstream/upstreams-file.ts';
import { openAccess } from './open-access.ts';
import { openAudit } from './open-audit.ts';
import { openSource } from './open-source.ts';
import { operatorError } from './run-command.ts';
import { startAct, type StartCommand } from './start-act.ts';

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
  command: StartCommand,
): Promise<Started> {
  const opened: { close(): Promise<void> }[] = [];
  try {
    const logger = createLogger(config.logLevel, logTo);
    const certificate = config.tlsCert === '' ? undefined : readCertificate(config);
    const upstreams = upstreamsOf(config, process.env);
    // Before anything is opened, which creates what is missing.
    const hadLog = config.databaseUrl === '' ? whatShowsALog(config.dataDir) : undefined;
    const source = await openSource(config, logger);
    opened.push(source);
    await requireNoOtherCopy(config, logger);
    const opening = openAudit(config, {
      hadLog,
      onKeptChange: (isKept, message) => {
        logger[isKept ? 'info' : 'warn'](message);
      },
    });
    // Loaded while the log's thread starts and looks at its records: most of a start is reading the program.
    const loading = import('../../create-app.ts');
    // Told where it is awaited; what fails before that is told first.
    loading.catch(() => undefined);
    const log = await opening;
    const { audit, auditTrail, auditEvents } = log;
    opened.push(audit, auditTrail);
    if ((await auditTrail.waitsForStandby()) === false) {
      logger.warn(
        'PostgreSQL confirms a commit without a standby (synchronous_standby_names is empty): where a replica takes over, records of the last answers are lost',
      );
    }
    const access = await openAccess(config, serviceActs(audit));
    opened.push(access);
    const witnessing = await openWitnessing(config, {
      trail: auditTrail,
      logId: audit.logId,
      logger,
    });
    auditEvents.on('interrupted', (message) => {
      logger.error(message);
    });
    auditEvents.on('resumed', (message) => {
      logger.warn(message);
    });
    const parts = { config, certificate, source, upstreams, access, logger, witnessing, ...log };
    const { createApp } = await loading;
    const app = await createApp(parts);
    // From here on the app closes what it was given.
    opened.splice(0, opened.length, app);
    const permissions = parseNarrowing(config.narrow);
    const start = startAct(command, config, { permissions, upstreamTeams: upstreams.size });
    await audit.record(commandActEntry(start));
    // Not Nest's own `listen`, which logs a failure that is told here in plain words.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
    const baseUrl = listeningUrl(app.getHttpServer(), config.host);
    const unwatch = renewing(app, parts);
    // A command may have created the log: its key is told at every start.
    const words = 'audit log open; keep its public key in another place';
    logger.info({ audit_key: audit.verifierKey }, words);
    logger.info({ base_url: baseUrl, upstream_teams: upstreams.size }, 'ready');
    return {
      baseUrl,
      stop: async () => {
        logger.info('stopping');
        unwatch();
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

/** Takes a renewed certificate without a restart; returns what ends that. */
function renewing(
  app: NestFastifyApplication,
  parts: {
    readonly config: ServiceConfig;
    readonly certificate: Certificate | undefined;
    readonly logger: Logger;
  },
): () => void {
  const { config, certificate, logger } = parts;
  const server = app.getHttpServer();
  if (certificate === undefined || !(server instanceof TlsServer)) {
    return () => undefined;
  }
  return watchCertificate(
    server,
    { files: config, served: certificate },
    {
      renewed: (expires) => {
        logger.info({ expires: expires.toISOString() }, 'certificate renewed');
      },
      refused: (message) => {
        logger.warn(`${message} The previous certificate stays.`);
      },
    },
  );
}
