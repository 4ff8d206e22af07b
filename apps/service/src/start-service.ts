import type { DestinationStream } from 'pino';
import { Server as TlsServer } from 'node:tls';
import { readLogId } from '@caregate/audit-log';
import { lockFolder, makeFolder } from '@caregate/data-store/database';
import { CheckpointCopy, requireNoOtherCopy } from './audit/checkpoint-copy.ts';
import { createActRecorder } from './audit/service-acts.ts';
import { describeLostStore, RESTORE_STORE, findEvidenceOfLog } from './audit/lost-data.ts';
import { buildActEntry, type AuditAct } from './audit/audit-entries.ts';
import { eraseAgain } from './backup/erase-again.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { getAuditKeyFile } from './config/secret-files.ts';
import type { ServiceConfig } from './config/service-config.ts';
import { toOperatorError } from './config/to-operator-error.ts';
import { readUpstreams } from './config/upstreams-file.ts';
import { createLogger } from './health/logger.ts';
import { MetricsToken } from './health/metrics-token.ts';
import { getListeningUrl } from './http/public-url.ts';
import { readCertificate, watchCertificate } from './http/tls-certificate.ts';
import { openAccess, openAudit, openSource } from './open-data.ts';
import { parseNarrowing } from './operations/permission-table.ts';
import { buildStartAct, type StartCommand } from './start-act.ts';

export interface Started {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Opens the data and serves it. @throws OperatorError; nothing stays open then */
export async function startService(
  config: ServiceConfig,
  logTo: DestinationStream,
  command: StartCommand,
): Promise<Started> {
  const opened: { close(): void | Promise<void> }[] = [];
  try {
    // The demo prints its own text to the terminal, so only warnings are logged.
    const logger = createLogger(command === 'demo' ? 'warn' : 'info', logTo);
    const certificate = config.tlsCert === '' ? undefined : readCertificate(config);
    const upstreams = readUpstreams(config.upstreams, process.env);
    makeFolder(config.dataDir);
    const lock = lockFolder(config.dataDir);
    opened.push(lock);
    const hadLog = await requireOwnData(config);
    const source = await openSource(config, logger);
    opened.push(source);
    await requireNoOtherCopy(config, logger);
    const isNewLog = readLogId(config.dataDir) === undefined;
    const opening = openAudit(config, { hadLog });
    // In parallel with opening the data, since loading the program takes most of a start.
    const loading = import('./create-app.ts');
    // The rejection is handled by the await below. An earlier error takes precedence.
    loading.catch(() => undefined);
    const log = await opening;
    const { audit, auditTrail, auditEvents } = log;
    opened.push(audit, auditTrail);
    if (config.databaseDurability === '' && (await log.waitsForStandby()) === false) {
      logger.warn(
        'PostgreSQL confirms a commit without a standby (synchronous_standby_names is empty): where a replica takes over, records of the last answers are lost; CAREGATE_DATABASE_DURABILITY=replicated answers only while there is one, one-machine ends this warning',
      );
    }
    const access = await openAccess(config, createActRecorder(audit));
    opened.push(access);
    const parts = { trail: auditTrail, logId: audit.logId, logger };
    const checkpointCopy = await CheckpointCopy.open(config, parts);
    auditEvents.on('interrupted', (message) => {
      logger.error(message);
    });
    auditEvents.on('resumed', (message) => {
      logger.warn(message);
    });
    const resources = { config, certificate, source, upstreams, access, logger, checkpointCopy };
    const { createApp } = await loading;
    const app = await createApp({ ...resources, ...log });
    // From here on, closing the app closes the stores and the audit log.
    opened.splice(0, opened.length, lock, app);
    app.get(MetricsToken, { strict: false }).writeTo(config.dataDir);
    const record = (act: AuditAct): Promise<unknown> => audit.record(buildActEntry(act));
    await eraseAgain(config, record, logger);
    const permissions = parseNarrowing(config.narrow);
    await record(buildStartAct(command, config, { permissions, upstreamTeams: upstreams.size }));
    // Nest's `listen` would log a failure a second time.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
    checkpointCopy.startLogging();
    const server = app.getHttpServer();
    const baseUrl = getListeningUrl(server, config.host);
    const unwatch =
      certificate !== undefined && server instanceof TlsServer
        ? watchCertificate(
            server,
            { files: config, served: certificate },
            {
              onRenewed: (expires) => {
                logger.info({ expires: expires.toISOString() }, 'certificate renewed');
              },
              onRefused: (message) => {
                logger.warn(`${message} The previous certificate stays.`);
              },
            },
          )
        : () => undefined;
    if (isNewLog) {
      logger.info(
        { log_id: audit.logId },
        'a new audit log was created, since this data folder had none; if it had one, stop the service and restore it (caregate restore)',
      );
    }
    // Logged even if a command created the log.
    const keys = { audit_key: audit.publicKey, signing_key: getAuditKeyFile(process.env) };
    logger.info(keys, 'audit log open; keep its public key in another place');
    logger.info({ base_url: baseUrl, upstream_teams: upstreams.size }, 'ready');
    return {
      baseUrl,
      stop: async () => {
        logger.info('stopping');
        unwatch();
        await app.close();
        lock.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    for (const part of opened.reverse()) {
      await Promise.resolve(part.close()).catch(() => undefined);
    }
    throw toOperatorError(error, config);
  }
}

/**
 * Checks a data folder before anything is created in it.
 *
 * @returns evidence that the folder had an audit log, if the log is missing
 * @throws OperatorError if the folder has lost its store, since it would be served as a clinic without patients
 */
async function requireOwnData(config: ServiceConfig): Promise<string | undefined> {
  if (config.databaseUrl !== '') {
    return undefined;
  }
  // Opening a broken audit log reports more than this check would.
  const lost = await describeLostStore(config.dataDir).catch(() => undefined);
  if (lost !== undefined) {
    throw new OperatorError(`${lost} Nothing was served. ${RESTORE_STORE}`);
  }
  return findEvidenceOfLog(config.dataDir);
}
