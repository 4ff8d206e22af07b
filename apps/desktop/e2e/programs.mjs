import { existsSync } from 'node:fs';
import { installLine, installPackages } from '../../../tools/electron-runtime/libraries.mjs';

/** Debian's packages, and a program of each. */
const needed = {
  'poppler-utils': '/usr/bin/pdftotext',
  'cups-daemon': '/usr/sbin/cupsd',
  'cups-client': '/usr/sbin/lpadmin',
};

/**
 * Programs that read the printed PDFs with other eyes than those that made them, and a spooler to print to. For every
 * test, before the first: which file comes first is not theirs to know. As root on Debian they are installed where
 * they are missing; throws with what to install where they can't be.
 */
export function providePrograms() {
  const names = missing();
  if (names.length === 0) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installPackages(names);
  if (missing().length > 0) {
    throw new Error(
      `The tests read PDFs by poppler, and print to CUPS. Install them:\n  ${installLine(missing())}`,
    );
  }
}

function missing() {
  return Object.entries(needed).flatMap(([name, program]) => (isThere(program) ? [] : [name]));
}

function isThere(program) {
  const file = program.slice(program.lastIndexOf('/') + 1);
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  return [program, ...folders.map((folder) => `${folder}/${file}`)].some((one) => existsSync(one));
}
