import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { formatCommand, hasDisplay, installPackages } from '../electron-runtime/libraries.mjs';
import { root } from './install.mjs';

/** Programs that tests need, and their Debian packages. `usedIn` matches the text of modules that run them. */
const NEEDS = [
  { program: 'initdb', from: 'postgresql', usedIn: /from '@caregate\/postgres'/u },
  { program: 'Xvfb', from: 'xvfb', usedIn: /\/(?:desktop|window)\.testing\.ts'/u },
  { program: 'pdftotext', from: 'poppler-utils', usedIn: /'pdfto(?:text|ppm)'/u },
  { program: 'cupsd', from: 'cups-daemon', usedIn: /\/cups\.testing\.ts'/u },
  { program: 'lpadmin', from: 'cups-client', usedIn: /\/cups\.testing\.ts'/u },
];

/** Installs missing programs if this is root on Debian or Ubuntu. @returns the spec files to skip, relative to the root */
export function providePrograms() {
  if (process.platform !== 'linux') return [];
  const packages = NEEDS.filter(isMissing).map(({ from }) => from);
  if (packages.length > 0 && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    try {
      installPackages(packages.join(', '));
    } catch (error) {
      console.error(error.message);
    }
  }
  const exclude = ['**/{dist,node_modules}'];
  const specs = globSync('{apps,libs,tools}/**/*.spec.ts', { cwd: root, exclude });
  return NEEDS.filter(isMissing).flatMap(({ program, from, usedIn }) => {
    const skipped = specs.filter((file) => needs(file, usedIn));
    console.error(
      `${program} is missing: ${skipped.length} spec files that need it are skipped. ${formatCommand(from)}`,
    );
    return skipped;
  });
}

function isMissing({ program }) {
  if (program === 'Xvfb' && hasDisplay()) return false;
  // Debian has PostgreSQL's programs outside the PATH.
  const others = ['/usr/sbin', ...globSync('/usr/lib/postgresql/*/bin')];
  const folders = [...process.env.PATH.split(delimiter), ...others];
  return !folders.some((folder) => existsSync(join(folder, program)));
}

/** Whether the text of a module, or of one that it imports by a relative path, matches. */
function needs(file, usedIn, seen = new Set()) {
  if (seen.has(file) || !existsSync(join(root, file))) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [...text.matchAll(/\bfrom '(?<path>\.[^']+)'/gu)];
  return (
    usedIn.test(text) ||
    imports.some(({ groups }) => needs(join(file, '..', groups.path), usedIn, seen))
  );
}
