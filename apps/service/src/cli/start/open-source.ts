import type { Logger } from 'pino';
import type { ServiceConfig } from '../../config/service-config.ts';
import type { HealthDataSource } from '../../source/health-data-source.ts';
import { openStore } from '../../source/store/open-store.ts';
import { openPostgresStore } from '../../source/store/postgres/open-postgres-store.ts';

export function openSource(config: ServiceConfig, logger: Logger): Promise<HealthDataSource> {
  const onWaiting = (reason: string): void => {
    logger.warn(`waiting for the database: ${reason}`);
  };
  return config.databaseUrl === ''
    ? openStore(config.dataDir)
    : openPostgresStore(config.databaseUrl, onWaiting);
}
