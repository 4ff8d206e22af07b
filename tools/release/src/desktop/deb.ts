import { chmodSync, cpSync, globSync, lstatSync, mkdirSync } from 'node:fs';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { libraries } from '../../../electron-runtime/libraries.mjs';
import { buildDeb, fillIn, writeFile } from '../deb-tree.ts';
import { root } from '../workspace.ts';
import { getNames } from './kinds.ts';
import { getDesktopVersion, packFolder, type PackOptions } from './pack.ts';

/** Builds the package with dpkg-deb, reproducibly, since electron-builder would download its tools. */
export async function makeDesktopDeb(options: PackOptions): Promise<string> {
  const packedFolder = await packFolder(options);
  const { kind, into, version } = options;
  const { product, program } = getNames(kind);
  const VERSION = getDesktopVersion(kind, version).replace('-', '~');
  const values = { PROGRAM: program, PRODUCT: product, VERSION, LIBRARIES: libraries };
  const tree = join(into, 'tree');
  rmSync(tree, { recursive: true, force: true });
  const home = join(tree, 'usr/lib', program);
  const share = join(tree, 'usr/share');
  mkdirSync(join(tree, 'usr/lib'), { recursive: true });
  renameSync(packedFolder, home);
  rmSync(join(into, 'work'), { recursive: true });
  mkdirSync(join(tree, 'usr/bin'));
  symlinkSync(`../lib/${program}/${program}`, join(tree, 'usr/bin', program));
  const entry = new URL('debian/app.desktop', import.meta.url);
  writeFile(join(share, `applications/${program}.desktop`), fillIn(entry, values));
  const icons = join(root, 'apps/desktop/build/icons');
  for (const icon of globSync('*x*.png', { cwd: icons })) {
    const size = basename(icon, '.png');
    cpSync(join(icons, icon), join(share, `icons/hicolor/${size}/apps/${program}.png`));
  }
  cpSync(join(icons, 'icon.svg'), join(share, `icons/hicolor/scalable/apps/${program}.svg`));
  cpSync(join(root, 'LICENSE'), join(share, `doc/${program}/copyright`));
  setModes(tree);
  // Chromium needs this sandbox where ordinary accounts have no user namespaces (Ubuntu 24.04).
  chmodSync(join(home, 'chrome-sandbox'), 0o4755);
  const control = new URL('debian/control', import.meta.url);
  return buildDeb({ tree, into, control, values, compression: ['-Zzstd', '-z3'] });
}

/** Sets permissions: everybody may read, only root may write. */
function setModes(tree: string): void {
  for (const path of ['', ...globSync('**/*', { cwd: tree })]) {
    const file = join(tree, path);
    const stat = lstatSync(file);
    if (stat.isSymbolicLink()) continue;
    chmodSync(file, stat.isDirectory() || (stat.mode & 0o111) !== 0 ? 0o755 : 0o644);
  }
}
