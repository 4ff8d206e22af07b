import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream, Logger } from 'pino';
import { Server as TlsServer } from 'node:tls';
import { serviceActs } from '../../audit/http/service-acts.ts';
import { commandActEntry } from '../../audit/record-acts.ts';
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
import { createLogger } from '../../observe/logger.ts';
import { MetricsToken } from '../../observe/metrics-token.ts';
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

/** A broken log is refused by its own opening, which says more. @throws OperatorError */
async function requireStore(dataDir: string): Promise<void> {
  const lost = await lostStore(dataDir).catch(() => undefined);
  if (lost !== undefined) {
    throw new OperatorError(`${lost} Nothing was served. ${RESTORE_STORE}`);
  }
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
    const hadLog = config.databaseUrl === '' ? whatShowsALog(config.dataDir) : undefined;
    if (config.databaseUrl === '') {
      await requireStore(config.dataDir);
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
    const parts = {
      config,
      certificate,
      source,
      upstreams,
      access,
      logger,
      checkpointCopy,
      ...log,
    };
    const { createApp } = await loading;
    const app = await createApp(parts);
    // The app closes them from here on.
    opened.splice(0, opened.length, app);
    app.get(MetricsToken, { strict: false }).writeTo(config.dataDir);
    const permissions = parseNarrowing(config.narrow);
    const upstreamTeams = upstreams.size;
    await eraseAgain(config, (act) => audit.record(commandActEntry(act)), logger);
    const start = startAct(command, config, { permissions, upstreamTeams });
    await audit.record(commandActEntry(start));
    // Nest's `listen` would log the failure as well.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
    app.get(CheckpointLines, { strict: false }).start();
    const baseUrl = listeningUrl(app.getHttpServer(), config.host);
    const unwatch = renewing(app, parts);
    if (isNewLog) {
      logger.info(
        { log_id: audit.logId },
        'a new audit log was begun, since this data folder had none; if it had one, stop the service and restore it (caregate restore)',
      );
    }
    // A command may have created the log.
    const words = 'audit log open; keep its public key in another place';
    const signingKey = auditKeyFile(process.env);
    const elsewhere = signingKey === undefined ? {} : { signing_key: signingKey };
    logger.info({ audit_key: audit.publicKey, ...elsewhere }, words);
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
