import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleService } from './bundle.ts';
import { buildDeb, writeFile } from './deb-tree.ts';
import { getBuiltVersion } from './workspace.ts';

const home = 'usr/lib/caregate';
const files = {
  'caregate.sh': ['usr/bin/caregate', 0o755],
  'caregate.service': ['lib/systemd/system/caregate.service', 0o644],
  'caregate-backup.service': ['lib/systemd/system/caregate-backup.service', 0o644],
  'caregate-backup.timer': ['lib/systemd/system/caregate-backup.timer', 0o644],
  'caregate.env': ['etc/caregate/caregate.env', 0o640],
  postinst: ['DEBIAN/postinst', 0o755],
  prerm: ['DEBIAN/prerm', 0o755],
  postrm: ['DEBIAN/postrm', 0o755],
} as const;

/** Builds the service's package, reproducibly. @throws Error if the workspace isn't built */
export async function makeDeb(into: string, version = getBuiltVersion()): Promise<string> {
  const tree = join(into, 'tree');
  rmSync(tree, { recursive: true, force: true });
  await bundleService(join(tree, home), version);
  for (const [name, [to, mode]] of Object.entries(files)) {
    cpSync(join(import.meta.dirname, 'debian', name), join(tree, to));
    chmodSync(join(tree, to), mode);
  }
  const documents = join(tree, 'usr/share/doc/caregate');
  mkdirSync(documents, { recursive: true });
  renameSync(join(tree, home, 'LICENSES.txt'), join(documents, 'copyright'));
  renameSync(join(tree, home, 'sbom.cdx.json'), join(documents, 'sbom.cdx.json'));
  writeFile(join(tree, 'DEBIAN/conffiles'), '/etc/caregate/caregate.env\n');
  const control = new URL('debian/control', import.meta.url);
  const values = { PROGRAM: 'caregate', VERSION: version };
  return buildDeb({ tree, into, control, values, compression: ['-Zxz', '-z1'] });
}
