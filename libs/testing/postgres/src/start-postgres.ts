import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, type PostgresPrograms } from './find-postgres.ts';
import { unprivileged, type Identity } from './unprivileged.ts';

const run = promisify(execFile);
const tries = 5;

/** A temporary server. {@link stop} removes it and its data, and so does the end of this process, however it ends. */
export interface PostgresServer {
  /** `postgresql://` URL with the password of a superuser, for an empty database. */
  readonly url: string;
  /** Creates another empty database and returns its URL. */
  database(): Promise<string>;
  /** Stops the server and closes its connections. `immediate` simulates a crash, from which the next start recovers. */
  down(how: 'fast' | 'immediate'): Promise<void>;
  /** Starts the server again with the same data and URL. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** Settings for postgresql.conf, such as `{ fsync: 'off' }`. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Starts a temporary PostgreSQL server with a password on a free port of 127.0.0.1. If the caller is root, the server
 * runs as another user, since it refuses to run as root. Writes are durable unless `settings` says otherwise.
 *
 * @param restored the server to restore: its URL, and the folder of its `pg_basebackup`, which is copied
 * @throws PostgresMissingError if PostgreSQL is not installed
 */
export async function startPostgres(
  settings: ServerSettings = {},
  restored?: { readonly base: string; readonly url: string },
): Promise<PostgresServer> {
  const programs = findPostgres();
  const identity = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'caregate-postgres-'));
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(folder, identity.uid, identity.gid);
  }
  const backend = keep(folder, programs, identity);
  try {
    const password =
      restored === undefined ? randomBytes(12).toString('hex') : new URL(restored.url).password;
    const data = join(folder, 'data');
    if (restored === undefined) {
      await initialise(folder, password, { programs, identity });
    } else {
      await run('cp', ['-R', restored.base, data]);
      await own(data, identity);
    }
    configure(data, settings);
    const ctl = (...arguments_: string[]): Promise<unknown> =>
      run(programs('pg_ctl'), ['-D', data, '-w', ...arguments_], { ...identity, cwd: folder });
    const port = await startOnFreePort(folder, ctl);
    const up = (): Promise<unknown> => start(folder, port, ctl);
    const buildUrl = (database: string): string =>
      `postgresql://caregate:${password}@127.0.0.1:${port}/${database}`;
    return {
      url: buildUrl('postgres'),
      database: () => createDatabase(buildUrl('postgres')),
      down: async (how) => {
        await ctl('stop', '-m', how);
      },
      up: async () => {
        await up();
      },
      stop: () => backend.end(),
    };
  } catch (error) {
    await backend.end();
    throw error;
  }
}

/** Creates an empty database on the server of this URL, and returns the database's URL. */
export async function createDatabase(server: string): Promise<string> {
  const name = `d${randomBytes(8).toString('hex')}`;
  await run(findPostgres()('psql'), ['-X', '-q', server, '-c', `create database ${name}`]);
  return Object.assign(new URL(server), { pathname: name }).href;
}

/**
 * Starts a watchdog process that outlives this one. When its standard input ends for any reason, it stops the server
 * and removes the folder.
 */
function keep(
  folder: string,
  programs: PostgresPrograms,
  identity: Identity,
): { end(): Promise<void> } {
  const script = 'cat >/dev/null; "$0" -D "$1/data" -m immediate -w stop; rm -rf "$1"';
  const child = spawn('/bin/sh', ['-c', script, programs('pg_ctl'), folder], {
    ...identity,
    cwd: '/',
    // A separate process group, so that Ctrl-C in a terminal doesn't end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  child.unref();
  // The pipe must not keep this process alive.
  (child.stdin as unknown as { unref?(): void }).unref?.();
  return {
    end: async () => {
      child.ref();
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function initialise(
  folder: string,
  password: string,
  { programs, identity }: { programs: PostgresPrograms; identity: Identity },
): Promise<void> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(passwordFile, identity.uid, identity.gid);
  }
  await run(
    programs('initdb'),
    [
      ...['-D', data, '-U', 'caregate', '-A', 'scram-sha-256', '--pwfile', passwordFile],
      // An empty cluster doesn't need to be synced to disk.
      ...['--encoding', 'UTF8', '--no-locale', '--no-sync'],
    ],
    { ...identity, cwd: folder },
  );
  rmSync(passwordFile);
}

async function own(folder: string, { uid, gid }: Identity): Promise<void> {
  if (uid !== undefined && gid !== undefined) {
    await run('chown', ['-R', `${uid}:${gid}`, folder]);
  }
  chmodSync(folder, 0o700);
}

function configure(data: string, settings: ServerSettings): void {
  const lines = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    Object.entries(lines)
      .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
      .join(''),
  );
}

type Control = (...arguments_: string[]) => Promise<unknown>;

/** Tries another port if another process took the free one first. */
async function startOnFreePort(folder: string, ctl: Control): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await start(folder, port, ctl);
      return port;
    } catch (error) {
      if (attempt === tries || !String(error).includes('Address already in use')) {
        throw error;
      }
    }
  }
}

async function start(folder: string, port: number, ctl: Control): Promise<void> {
  const log = join(folder, 'log');
  try {
    await ctl('-t', '60', '-l', log, '-o', `-p ${port}`, 'start');
  } catch (error) {
    const logText = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
    throw new Error(`PostgreSQL did not start:\n${logText}`, { cause: error });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
