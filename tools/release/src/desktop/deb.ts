import {
  chmodSync,
  copyFileSync,
  globSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { libraries } from '../../../electron-runtime/libraries.mjs';
import { buildDeb, getDebianArchitecture } from '../deb-tree.ts';
import { root } from '../workspace.ts';
import { getNames } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { packFolder, getDesktopVersion } from './pack.ts';

interface DesktopDebOptions {
  readonly kind: Kind;
  readonly into: string;
  readonly version?: string;
}

/** Builds the package with dpkg-deb, reproducibly, since electron-builder would download its tools. */
export async function makeDesktopDeb({ kind, into, version }: DesktopDebOptions): Promise<string> {
  const packedFolder = await packFolder({ kind, into, ...(version !== undefined && { version }) });
  const { product, program } = getNames(kind);
  const tree = join(into, 'tree');
  rmSync(tree, { recursive: true, force: true });
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    copyFileSync(from, join(tree, to));
  };
  const write = (to: string, text: string): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    writeFileSync(join(tree, to), text);
  };
  const home = `usr/lib/${program}`;
  mkdirSync(join(tree, 'usr/lib'), { recursive: true });
  renameSync(packedFolder, join(tree, home));
  rmSync(join(into, 'work'), { recursive: true });
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync(`../lib/${program}/${program}`, join(tree, 'usr/bin', program));
  write(`usr/share/applications/${program}.desktop`, renderDesktopEntry(product, program));
  const icons = join(root, 'apps/desktop/build/icons');
  for (const icon of globSync('*x*.png', { cwd: icons })) {
    put(join(icons, icon), `usr/share/icons/hicolor/${basename(icon, '.png')}/apps/${program}.png`);
  }
  put(join(icons, 'icon.svg'), `usr/share/icons/hicolor/scalable/apps/${program}.svg`);
  put(join(root, 'LICENSE'), `usr/share/doc/${program}/copyright`);
  setModes(tree);
  // Chromium needs this sandbox where ordinary accounts have no user namespaces (Ubuntu 24.04).
  chmodSync(join(tree, home, 'chrome-sandbox'), 0o4755);
  const architecture = getDebianArchitecture();
  const debianVersion = getDesktopVersion(kind, version).replace('-', '~');
  const file = join(into, `${program}_${debianVersion}_${architecture}.deb`);
  buildDeb({
    tree,
    file,
    compression: 'zstd',
    control: (kilobytes) => `Package: ${program}
Version: ${debianVersion}
Architecture: ${architecture}
Maintainer: Caregate <security@caregate.example>
Installed-Size: ${kilobytes}
Depends: ${libraries}
Recommends: cups-client, gnome-keyring | kwalletmanager, xdg-utils
Section: misc
Priority: optional
Description: ${product}, the front desk of a clinic
 Finds a person by name, id or a scanned code, and shows and prints lab results,
 mindfulness minutes and insurance from the clinic's own Caregate service.
`,
  });
  return file;
}

/** https://specifications.freedesktop.org/desktop-entry-spec/latest/ */
function renderDesktopEntry(product: string, program: string): string {
  return `[Desktop Entry]
Type=Application
Name=${product}
Comment=Front desk of a clinic
Comment[es]=Recepción de una clínica
Comment[ar]=مكتب استقبال العيادة
Exec=/usr/bin/${program} %u
Icon=${program}
Terminal=false
Categories=Office;MedicalSoftware;
MimeType=x-scheme-handler/caregate;
StartupWMClass=${product}
`;
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
