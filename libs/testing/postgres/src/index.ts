export { findPostgres, PostgresMissingError, type PostgresPrograms } from './find-postgres.ts';
export { startPostgres, type PostgresServer, type ServerSettings } from './start-postgres.ts';
