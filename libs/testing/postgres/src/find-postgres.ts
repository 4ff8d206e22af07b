import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** PostgreSQL is not installed. The message says how to install it. */
export class PostgresMissingError extends Error {
  override readonly name = 'PostgresMissingError';

  constructor() {
    super(
      'PostgreSQL server not found (no initdb in PATH or /usr/lib/postgresql). ' +
        'To install it on Debian or Ubuntu: apt-get install postgresql',
    );
  }
}

export type PostgresPrograms = (
  name: 'initdb' | 'pg_ctl' | 'psql' | 'pgbench' | 'pg_basebackup' | 'pg_receivewal' | 'pg_dump',
) => string;

/**
 * Finds the installed PostgreSQL: on `path` (in the form of PATH), otherwise the newest version in Debian's location,
 * which is not in PATH.
 *
 * @throws PostgresMissingError if PostgreSQL is not installed
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
  // PATH may have a link to one program only; the others are beside the link's target.
  const bin = dirname(realpathSync(initdb));
  return (name) => join(bin, name);
}
