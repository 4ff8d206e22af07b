import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installLine, installPackages } from '../../../tools/electron-runtime/libraries.mjs';

const names = ['poppler-utils'];

/**
 * Programs that read the printed PDFs with other eyes than those that made them. For every test, before the first:
 * which file comes first is not theirs to know. As root on Debian they are installed where they are missing; throws
 * with what to install where they can't be.
 */
export function providePoppler() {
  if (isThere()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installPackages(names);
  if (!isThere()) {
    throw new Error(
      `The tests read PDFs by pdftotext and pdfinfo. Install them:\n  ${installLine(names)}`,
    );
  }
}

function isThere() {
  return ['pdftotext', 'pdfinfo'].every(
    (program) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined,
  );
}
