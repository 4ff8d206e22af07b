import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installLine, installPackages } from '../electron-runtime/libraries.mjs';

const debian = '/usr/lib/postgresql';

/**
 * The tests of the store on PostgreSQL start a real server of the machine's own. Where there is none, root on Debian or
 * Ubuntu gets it installed; anybody else is told the line, and those tests fail with it.
 */
export function providePostgres() {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  if (folders.some((folder) => existsSync(join(folder, 'initdb')))) return;
  const names = ['postgresql'];
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    installPackages(names);
  } else {
    console.error(`The tests need PostgreSQL: ${installLine(names)}`);
  }
}
