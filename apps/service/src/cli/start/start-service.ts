import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream, Logger } from 'pino';
import { Server as TlsServer } from 'node:tls';
import { serviceActs } from '../../audit/http/service-acts.ts';
import { commandActEntry, type CommandAct } from '../../audit/record-acts.ts';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import { lostStore, RESTORE_STORE } from '../../audit/offline/lost-store.ts';
import { CheckpointLines } from '../../audit/checkpoint-copy/checkpoint-lines.ts';
import { CheckpointCopy, requireNoOtherCopy } from '../../audit/checkpoint-copy/checkpoint-copy.ts';
import { readLogId } from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { auditKeyFile } from '../../config/secret-files.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { lockFolder, makeFolder } from '@caregate/data-store/database';
import { readCertificate, watchCertificate, type Certificate } from '../../http/tls-certificate.ts';
import { parseNarrowing } from '../../operations/permission-table.ts';
import { listeningUrl } from '../../http/public-url.ts';
import { createLogger } from '../../health/logger.ts';
import { MetricsToken } from '../../health/metrics-token.ts';
import { readUpstreams } from '../../config/upstreams-file.ts';
import { eraseAgain } from './erase-again.ts';
import { openAccess } from './open-access.ts';
import { openAudit } from './open-audit.ts';
import { openSource } from './open-source.ts';
import { operatorError } from './run-command.ts';
import { startAct, type StartCommand } from './start-act.ts';

export interface Started {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** @throws OperatorError; then nothing is left open */
export async function startService(
  config: ServiceConfig,
  logTo: DestinationStream,
  command: StartCommand,
): Promise<Started> {
  const opened: { close(): Promise<void> }[] = [];
  let lock: { close(): void } | undefined;
  try {
    // The demo's terminal is for what the demo prints.
    const logger = createLogger(command === 'demo' ? 'warn' : 'info', logTo);
    const certificate = config.tlsCert === '' ? undefined : readCertificate(config);
    const upstreams = readUpstreams(config.upstreams, process.env);
    makeFolder(config.dataDir);
    lock = lockFolder(config.dataDir);
    // Before opening creates what is missing.
    const isEmbedded = config.databaseUrl === '';
    const hadLog = isEmbedded ? whatShowsALog(config.dataDir) : undefined;
    // A broken log is refused by its own opening, which says more.
    const lost = isEmbedded && (await lostStore(config.dataDir).catch(() => undefined));
    if (typeof lost === 'string') {
      throw new OperatorError(`${lost} Nothing was served. ${RESTORE_STORE}`);
    }
    const source = await openSource(config, logger);
    opened.push(source);
    await requireNoOtherCopy(config, logger);
    const isNewLog = readLogId(config.dataDir) === undefined;
    const opening = openAudit(config, { hadLog });
    // In parallel: most of a start is loading the program.
    const loading = import('../../create-app.ts');
    // Awaited below; an earlier error takes precedence.
    loading.catch(() => undefined);
    const log = await opening;
    const { audit, auditTrail, auditEvents } = log;
    opened.push(audit, auditTrail);
    if (config.databaseDurability === '' && (await log.waitsForStandby()) === false) {
      logger.warn(
        'PostgreSQL confirms a commit without a standby (synchronous_standby_names is empty): where a replica takes over, records of the last answers are lost; CAREGATE_DATABASE_DURABILITY=replicated answers only while there is one, one-machine ends this warning',
      );
    }
    const access = await openAccess(config, serviceActs(audit));
    opened.push(access);
    const checkpointCopy = await CheckpointCopy.open(config, {
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
    const resources = { config, certificate, source, upstreams, access, logger, checkpointCopy };
    const { createApp } = await loading;
    const app = await createApp({ ...resources, ...log });
    // The app closes them from here on.
    opened.splice(0, opened.length, app);
    app.get(MetricsToken, { strict: false }).writeTo(config.dataDir);
    const permissions = parseNarrowing(config.narrow);
    const upstreamTeams = upstreams.size;
    const record = (act: CommandAct): Promise<unknown> => audit.record(commandActEntry(act));
    await eraseAgain(config, record, logger);
    await record(startAct(command, config, { permissions, upstreamTeams }));
    // Nest's `listen` would log the failure as well.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
    app.get(CheckpointLines, { strict: false }).start();
    const baseUrl = listeningUrl(app.getHttpServer(), config.host);
    const unwatch = watchRenewals(app, config, certificate, logger);
    if (isNewLog) {
      logger.info(
        { log_id: audit.logId },
        'a new audit log was begun, since this data folder had none; if it had one, stop the service and restore it (caregate restore)',
      );
    }
    // A command may have created the log.
    const words = 'audit log open; keep its public key in another place';
    const keys = { audit_key: audit.publicKey, signing_key: auditKeyFile(process.env) };
    logger.info(keys, words);
    logger.info({ base_url: baseUrl, upstream_teams: upstreamTeams }, 'ready');
    return {
      baseUrl,
      stop: async () => {
        logger.info('stopping');
        unwatch();
        await app.close();
        lock?.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    for (const part of opened.reverse()) {
      await part.close().catch(() => undefined);
    }
    lock?.close();
    throw operatorError(error, config);
  }
}

export async function orStop(service: Started, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Serves a renewed certificate without a restart. @returns a function that ends this */
function watchRenewals(
  app: NestFastifyApplication,
  config: ServiceConfig,
  served: Certificate | undefined,
  logger: Logger,
): () => void {
  const server = app.getHttpServer();
  if (served === undefined || !(server instanceof TlsServer)) {
    return () => undefined;
  }
  return watchCertificate(
    server,
    { files: config, served },
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
