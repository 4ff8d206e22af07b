import type { Logger } from 'pino';
import { sampledTraceId } from '../../trace/request-trace.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { type HealthDataSource, openPostgresStore, openStore } from '@caregate/data-store';

export function openSource(config: ServiceConfig, logger: Logger): Promise<HealthDataSource> {
  const onWaiting = (reason: string): void => {
    logger.warn(`waiting for the database: ${reason}`);
  };
  return config.databaseUrl === ''
    ? openStore(config.dataDir)
    : openPostgresStore(config.databaseUrl, onWaiting, sampledTraceId);
}
