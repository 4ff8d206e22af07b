import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, filesUnder } from './desktop.testing.ts';

export interface Spooler {
  /** The value of CUPS_SERVER: a socket that no other program uses. */
  readonly socket: string;
  /** The printed documents, oldest first. */
  documents(): Buffer[];
  /** Waits for the document of the nth job. */
  job(number: number): Promise<Buffer>;
  /** The IPP attributes of the nth job, as CUPS stored them. */
  attributes(number: number): Promise<string>;
  /** Adds a second printer, "Tray". */
  addTray(): Tray;
  stop(): Promise<void>;
}

interface Tray {
  /** Removes the second printer. */
  remove(): void;
}

/** A real CUPS server with one printer, "Desk", whose output is discarded. The printed documents stay in the spool folder. */
export async function startSpooler(): Promise<Spooler> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-cups-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['root', 'spool', 'cache', 'state', 'temp']) mkdirSync(at(name));
  const socket = at('cups.sock');
  writeFileSync(
    at('cupsd.conf'),
    [
      `Listen ${socket}`,
      'Browsing Off',
      'WebInterface No',
      'DefaultAuthType None',
      'PreserveJobFiles Yes',
      // CUPS would otherwise write its files half a minute later.
      'DirtyCleanInterval 0',
      '<Location />\nOrder allow,deny\nAllow all\n</Location>',
      '<Policy default>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>',
    ].join('\n'),
  );
  writeFileSync(
    at('cups-files.conf'),
    [
      'FileDevice Yes',
      `ServerRoot ${at('root')}`,
      `RequestRoot ${at('spool')}`,
      `CacheDir ${at('cache')}`,
      `StateDir ${at('state')}`,
      `TempDir ${at('temp')}`,
      `ServerBin ${at('bin')}`,
      `AccessLog ${at('access.log')}`,
      `ErrorLog ${at('error.log')}`,
      `PageLog ${at('page.log')}`,
    ].join('\n'),
  );
  mkdirSync(at('bin'));
  symlinkSync('/usr/lib/cups/daemon', at('bin/daemon'));
  // AppArmor may confine /usr/sbin/cupsd to the system's folders, so a copy is used.
  copyFileSync('/usr/sbin/cupsd', at('cupsd'));
  chmodSync(at('cupsd'), 0o700);
  const server = spawn(at('cupsd'), ['-f', '-c', at('cupsd.conf'), '-s', at('cups-files.conf')], {
    stdio: 'ignore',
  });
  process.once('exit', () => server.kill('SIGKILL'));
  while (!existsSync(socket)) {
    if (server.exitCode !== null)
      throw new Error(`cupsd ended with code ${String(server.exitCode)}`);
    await sleep(20);
  }
  const env = { ...process.env, CUPS_SERVER: socket };
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { env, stdio: 'ignore' });
  };
  run('/usr/sbin/lpadmin', '-p', 'Desk', '-v', 'file:///dev/null', '-E');
  // A file that CUPS is writing has a temporary name, so it is skipped.
  const spooled = (start: 'c' | 'd'): Buffer[] =>
    filesUnder(at('spool'))
      .filter(([path]) => basename(path).startsWith(start) && /^[cd][\d-]+$/u.test(basename(path)))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, content]) => content);
  return {
    socket,
    documents: () => spooled('d'),
    job: (number) => eventually('the job', () => Promise.resolve(spooled('d').at(number))),
    attributes: (number) =>
      eventually('the job’s attributes', () => {
        const one = spooled('c').at(number)?.toString('latin1');
        return Promise.resolve(one?.includes('copies') === true ? one : undefined);
      }),
    addTray: () => {
      run('/usr/sbin/lpadmin', '-p', 'Tray', '-v', 'file:///dev/null', '-E');
      return {
        remove: () => {
          run('/usr/sbin/lpadmin', '-x', 'Tray');
        },
      };
    },
    stop: async () => {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
