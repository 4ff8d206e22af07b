import { existsSync, readFileSync, readdirSync, globSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { displayState, installLine, installPackages } from '../electron-runtime/libraries.mjs';
import { root } from './install.mjs';

/** What tests start and npm doesn't bring, with what a test that needs it, or a module that it imports, has in its text. */
const PROGRAMS = [
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    isHere: () =>
      hasProgram('initdb') || versionsOfDebian().some((each) => existsSync(join(each, 'initdb'))),
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

/** Installs what is missing, as root on Debian or Ubuntu. @returns the paths of tests left out, from the top */
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
  const missing = PROGRAMS.filter(isMissing);
  const specs = missing.length === 0 ? [] : specFiles();
  return missing.flatMap((program) => {
    const leftOut = specs.filter((file) => uses(file, program.usedIn));
    const line = installLine(program.packages);
    console.error(
      `${program.name} is missing: ${leftOut.length} spec files that need it are left out. ${line}`,
    );
    return leftOut.map((file) => relative(root, file));
  });
}

function specFiles() {
  return globSync('{apps,libs,tools}/**/*.spec.ts', {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules') || path.endsWith('dist'),
  }).map((file) => join(root, file));
}

export function uses(file, wanted, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const modules = [...text.matchAll(/\bfrom '(?<name>\.[^']+)'/gu)];
  return (
    wanted.test(text) ||
    modules.some(({ groups: { name } }) => uses(resolve(dirname(file), name), wanted, seen))
  );
}

function hasProgram(name) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some(
    (folder) => folder !== '' && existsSync(join(folder, name)),
  );
}

/** Debian keeps PostgreSQL's programs out of the PATH. */
function versionsOfDebian() {
  const folder = '/usr/lib/postgresql';
  return existsSync(folder)
    ? readdirSync(folder).map((version) => join(folder, version, 'bin'))
    : [];
}
