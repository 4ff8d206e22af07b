export { findPostgres, PostgresMissingError, type PostgresPrograms } from './find-postgres.ts';
export { newDatabase } from './new-database.ts';
export {
  forgetfulProxy,
  startProxy,
  type ForgetfulProxy,
  type PostgresProxy,
} from './start-proxy.ts';
export { startPostgres, type PostgresServer, type ServerSettings } from './start-postgres.ts';
