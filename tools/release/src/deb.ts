import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleService } from './bundle.ts';
import { buildDeb, getDebianArchitecture } from './deb-tree.ts';
import { getBuiltVersion } from './workspace.ts';

const home = 'usr/lib/caregate';

const packageFiles = {
  'caregate.sh': ['usr/bin/caregate', 0o755],
  'caregate.service': ['lib/systemd/system/caregate.service', 0o644],
  'caregate-backup.service': ['lib/systemd/system/caregate-backup.service', 0o644],
  'caregate-backup.timer': ['lib/systemd/system/caregate-backup.timer', 0o644],
  'caregate.env': ['etc/caregate/caregate.env', 0o640],
  postinst: ['DEBIAN/postinst', 0o755],
  prerm: ['DEBIAN/prerm', 0o755],
  postrm: ['DEBIAN/postrm', 0o755],
} as const;

interface DebOptions {
  readonly into: string;
  readonly version?: string;
}

/** Builds the package, reproducibly. @throws Error if the workspace isn't built, or for another processor */
export async function makeDeb({ into, version }: DebOptions): Promise<string> {
  const architecture = getDebianArchitecture();
  const packageVersion = version ?? getBuiltVersion();
  const tree = join(into, 'tree');
  rmSync(tree, { recursive: true, force: true });
  await bundleService(join(tree, home), packageVersion);
  for (const [name, [to, mode]] of Object.entries(packageFiles)) {
    const target = join(tree, to);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(fileURLToPath(new URL(`debian/${name}`, import.meta.url)), target);
    chmodSync(target, mode);
  }
  const documents = join(tree, 'usr/share/doc/caregate');
  mkdirSync(documents, { recursive: true });
  renameSync(join(tree, home, 'LICENSES.txt'), join(documents, 'copyright'));
  renameSync(join(tree, home, 'sbom.cdx.json'), join(documents, 'sbom.cdx.json'));
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/caregate/caregate.env\n');
  const file = join(into, `caregate_${packageVersion}_${architecture}.deb`);
  buildDeb({
    tree,
    file,
    compression: 'xz',
    control: (kilobytes) => renderControl(packageVersion, architecture, kilobytes),
  });
  return file;
}

function renderControl(version: string, architecture: string, kilobytes: number): string {
  return `Package: caregate
Version: ${version}
Architecture: ${architecture}
Maintainer: Caregate <security@caregate.example>
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= 2.28), libstdc++6
Recommends: ca-certificates
Section: net
Priority: optional
Description: health data service for clinics
 Serves patients' lab results, insurance and mindfulness minutes to a clinic's
 own teams and desks. Each answer is checked against its reader's role and
 recorded in an audit log that nobody can cut unseen.
 .
 Brings its own Node. Data and the audit log are in /var/lib/caregate, and stay
 there when the package is purged.
`;
}
