import { findPostgres, PostgresMissingError, type PostgresPrograms } from '@caregate/postgres';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const packages = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  setpriv: 'util-linux',
} as const;
type Program = keyof typeof packages;

export interface Machine {
  readonly programs: Readonly<Record<Program, string>>;
  readonly postgres: PostgresPrograms;
  /** `PostgreSQL 15.14, Patroni 3.0.2, ...` */
  readonly versions: string;
}

/** What this machine lacks, in one line that says how to get it; or its programs. */
export function lookAround(): Machine | string {
  if (process.platform !== 'linux') {
    return 'network namespaces are a thing of Linux';
  }
  if (process.getuid?.() !== 0) {
    return 'only root may make network namespaces: sudo -E node tools/faults/src/patroni.ts';
  }
  const found = Object.keys(packages).map((name) => [name, find(name)] as const);
  const missing: string[] = found
    .filter(([, path]) => path === undefined)
    .map(([name]) => packages[name as Program]);
  const postgres = findOrNone();
  if (postgres === undefined) {
    missing.push('postgresql');
  }
  if (postgres === undefined || missing.length > 0) {
    // The packages start services of their own, which nothing here uses.
    const install = `apt-get install --no-install-recommends ${missing.join(' ')}`;
    return isDebian()
      ? `missing here: ${install}; then systemctl disable --now what of it has started`
      : `missing here: ${missing.join(', ')}; this is not Debian, where it is: ${install}`;
  }
  const programs = Object.fromEntries(found) as Machine['programs'];
  return { programs, postgres, versions: versionsOf(programs, postgres) };
}

function find(name: string): string | undefined {
  // Debian keeps haproxy and ip where only root's PATH looks.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function findOrNone(): PostgresPrograms | undefined {
  try {
    return findPostgres();
  } catch (error) {
    if (error instanceof PostgresMissingError) {
      return undefined;
    }
    throw error;
  }
}

function isDebian(): boolean {
  const file = '/etc/os-release';
  return existsSync(file) && /^ID(?:_LIKE)?=.*debian/mu.test(readFileSync(file, 'utf8'));
}

function versionsOf(programs: Machine['programs'], postgres: PostgresPrograms): string {
  const of = (name: string, program: string, flag: string): string => {
    const output = execFileSync(program, [flag], { encoding: 'utf8' });
    return `${name} ${/\d+(?:\.\d+)+/u.exec(output)?.[0] ?? '?'}`;
  };
  return [
    of('PostgreSQL', postgres('psql'), '--version'),
    of('Patroni', programs.patroni, '--version'),
    of('etcd', programs.etcd, '--version'),
    of('HAProxy', programs.haproxy, '-v'),
  ].join(', ');
}
