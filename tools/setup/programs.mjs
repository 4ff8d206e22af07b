import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { displayState, installLine, installPackages } from '../electron-runtime/libraries.mjs';
import { root } from './install.mjs';

/** Programs that tests need and npm doesn't install. `usedIn` matches the text of modules that need them. */
const PROGRAMS = [
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    // Debian has PostgreSQL's programs outside the PATH.
    isHere: () => hasProgram('initdb') || globSync('/usr/lib/postgresql/*/bin/initdb').length > 0,
    usedIn: /from '@caregate\/postgres'/u,
  },
  {
    name: 'Xvfb, or a display,',
    packages: ['xvfb'],
    isHere: () => displayState() !== 'none',
    usedIn: /\/(?:desktop|window)\.testing\.ts'/u,
  },
  {
    name: 'poppler',
    packages: ['poppler-utils'],
    isHere: () => hasProgram('pdftotext') && hasProgram('pdftoppm'),
    usedIn: /'pdfto(?:text|ppm)'/u,
  },
  {
    name: 'CUPS',
    packages: ['cups-daemon', 'cups-client'],
    isHere: () => hasProgram('cupsd') && hasProgram('lpadmin'),
    usedIn: /\/cups\.testing\.ts'/u,
  },
];

/** Installs missing programs if this is root on Debian or Ubuntu. @returns the spec files to skip, relative to the root */
export function providePrograms() {
  const isMissing = ({ isHere }) => process.platform === 'linux' && !isHere();
  const packages = PROGRAMS.filter(isMissing).flatMap((program) => program.packages);
  if (packages.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    try {
      installPackages(packages);
    } catch (error) {
      console.error(error.message);
    }
  }
  return PROGRAMS.filter(isMissing).flatMap(({ name, packages, usedIn }) => {
    const skipped = specFiles().filter((file) => needs(file, usedIn));
    console.error(
      `${name} is missing: ${skipped.length} spec files that need it are skipped. ${installLine(packages)}`,
    );
    return skipped.map((file) => relative(root, file));
  });
}

function specFiles() {
  const exclude = (path) => /(?:^|[\\/])(?:node_modules|dist)$/u.test(path);
  return globSync('{apps,libs,tools}/**/*.spec.ts', { cwd: root, exclude }).map((file) =>
    join(root, file),
  );
}

/** Whether the text of a module, or of one that it imports by a relative path, matches. */
function needs(file, usedIn, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/\bfrom '(?<path>\.[^']+)'/gu)];
  return (
    usedIn.test(text) ||
    imports.some(({ groups }) => needs(resolve(dirname(file), groups.path), usedIn, seen))
  );
}

function hasProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => folder !== '' && existsSync(join(folder, name)));
}
