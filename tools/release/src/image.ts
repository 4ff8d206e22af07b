import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleService } from './bundle.ts';
import { getBuiltVersion, getReleaseTime } from './workspace.ts';

const home = '/usr/lib/caregate';
/** Same user ID as in distroless images. */
const user = 65_532;

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
  const tree = join(into, 'image-tree');
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  copySystem(tree, join(into, 'image-debian'));
  await bundleService(join(tree, home), version);
  mkdirSync(join(tree, 'etc'));
  writeFileSync(
    join(tree, 'etc/passwd'),
    `caregate:x:${user}:${user}:Caregate:/data:/nonexistent\n`,
  );
  writeFileSync(join(tree, 'etc/group'), `caregate:x:${user}:\n`);
  const file = join(into, `caregate_${version}_${process.arch}.oci.tar`);
  commit(into, tree, `oci-archive:${file}:caregate:${version.replace('+', '-')}`);
  rmSync(tree, { recursive: true });
  return file;
}

function copySystem(tree: string, debian: string): void {
  run('mmdebstrap', [
    ...['--quiet', '--variant=extract', `--include=${systemPackages.join(',')}`],
    ...['bookworm', debian],
  ]);
  for (const path of systemFiles.flatMap((pattern) => globSync(pattern, { cwd: debian }))) {
    cpSync(join(debian, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  }
  rmSync(debian, { recursive: true });
}

function commit(into: string, tree: string, to: string): void {
  const store = join(into, 'image-store');
  const runBuildah = (...words: string[]): string =>
    run('buildah', [
      ...['--storage-driver', 'vfs', '--root', join(store, 'root')],
      ...['--runroot', join(store, 'run'), ...words],
    ]).trim();
  const container = runBuildah('from', 'scratch');
  runBuildah('copy', '--quiet', container, tree, '/');
  // Separate, since copied files belong to root.
  const data = join(into, 'data');
  mkdirSync(data);
  runBuildah(
    'copy',
    '--quiet',
    '--chown',
    `${user}:${user}`,
    '--chmod',
    '0700',
    container,
    data,
    '/data',
  );
  rmSync(data, { recursive: true });
  const formatCommand = (words: readonly string[]): string => JSON.stringify(words);
  runBuildah(
    ...['config', '--user', `${user}:${user}`, '--workingdir', '/data', '--port', '8443'],
    ...[
      '--entrypoint',
      formatCommand([
        ...[`${home}/bin/node`, '--max-semi-space-size=16', '--no-parallel-scavenge'],
        `${home}/dist/cli/main.js`,
      ]),
    ],
    ...['--cmd', 'serve', '--env', 'CAREGATE_DATA=/data', '--env', 'CAREGATE_HOST=0.0.0.0'],
    ...['--env', 'CAREGATE_PORT=8443'],
    ...['--env', 'MALLOC_TRIM_THRESHOLD_=2097152', '--env', 'MALLOC_ARENA_MAX=2'],
    ...['--label', 'org.opencontainers.image.title=Caregate'],
    ...['--label', 'org.opencontainers.image.licenses=MIT', container],
  );
  runBuildah('commit', '--quiet', '--timestamp', String(getReleaseTime()), container, to);
  rmSync(store, { recursive: true });
}

function run(command: string, words: readonly string[]): string {
  return execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
