import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleService } from './bundle.ts';
import { getBuiltVersion, getReleaseTime } from './workspace.ts';

/** Debian packages of the libraries that Node links to. */
const systemPackages = ['libc6', 'libgcc-s1', 'libstdc++6'];
const systemFiles = [
  'lib/*-linux-gnu/ld-linux-*',
  'lib/*-linux-gnu/lib{c,dl,gcc_s,m,nss_dns,nss_files,pthread,resolv}.so.*',
  'lib64/*',
  'usr/lib/*-linux-gnu/libstdc++.so.*',
  'usr/share/doc/{libc6,libgcc-s1,libstdc++6}/copyright',
];

/** Builds the image, as root. It has no shell and no package manager. @throws Error if the workspace isn't built */
export async function makeImage(into: string): Promise<string> {
  const version = getBuiltVersion();
  const work = join(into, 'image');
  const tree = join(work, 'tree');
  const debian = join(work, 'debian');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'data'), { recursive: true });
  const include = `--include=${systemPackages.join(',')}`;
  run('mmdebstrap', '--quiet', '--variant=extract', include, 'bookworm', debian);
  for (const path of systemFiles.flatMap((pattern) => globSync(pattern, { cwd: debian }))) {
    cpSync(join(debian, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  }
  await bundleService(join(tree, 'usr/lib/caregate'), version);
  mkdirSync(join(tree, 'etc'));
  const user = 'caregate:x:65532:65532:Caregate:/data:/nonexistent\n';
  writeFileSync(join(tree, 'etc/passwd'), user);
  writeFileSync(join(tree, 'etc/group'), 'caregate:x:65532:\n');
  const file = join(into, `caregate_${version}_${process.arch}.oci.tar`);
  const store = [`--root=${join(work, 'store')}`, `--runroot=${join(work, 'run')}`];
  const time = String(getReleaseTime());
  const name = `oci-archive:${file}:caregate:${version.replace('+', '-')}`;
  const source = ['--file', join(import.meta.dirname, 'Containerfile'), work];
  run(
    'buildah',
    '--storage-driver=vfs',
    ...store,
    'build',
    '--timestamp',
    time,
    '--tag',
    name,
    ...source,
  );
  rmSync(work, { recursive: true });
  return file;
}

function run(command: string, ...words: string[]): void {
  execFileSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}
