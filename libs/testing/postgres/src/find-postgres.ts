import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** No server programs on this machine; the message says how to get them. */
export class PostgresMissingError extends Error {
  override readonly name = 'PostgresMissingError';

  constructor() {
    super(
      'This machine has no PostgreSQL server (no initdb in PATH or /usr/lib/postgresql). ' +
        'On Debian or Ubuntu: apt-get install postgresql',
    );
  }
}

/** The path of one of PostgreSQL's programs, all of one version. */
export type PostgresPrograms = (
  name: 'initdb' | 'pg_ctl' | 'psql' | 'pgbench' | 'pg_basebackup' | 'pg_dump',
) => string;

/**
 * The machine's own PostgreSQL: what `path` (as the variable PATH) has, else the newest that Debian installed, which
 * keeps the server's programs out of PATH.
 *
 * @throws PostgresMissingError where there is none
 */
export function findPostgres(
  path: string = process.env['PATH'] ?? '',
  debian = '/usr/lib/postgresql',
): PostgresPrograms {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const folders = [
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst.map((version) => join(debian, version, 'bin')),
  ];
  const initdb = folders
    .map((folder) => join(folder, 'initdb'))
    .find((program) => existsSync(program));
  if (initdb === undefined) {
    throw new PostgresMissingError();
  }
  // A link in PATH may stand there alone; its neighbours are where it points to.
  const bin = dirname(realpathSync(initdb));
  return (name) => join(bin, name);
}
