import { execFileSync } from 'node:child_process';
import { globSync, lstatSync, lutimesSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getReleaseTime } from './workspace.ts';

const architectures: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'amd64',
  arm64: 'arm64',
};

/** Returns the architecture of this machine. @throws Error if there are no packages for it */
export function getDebianArchitecture(): string {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`No package for ${process.arch}.`);
  return architecture;
}

interface DebTree {
  /** Folder with all files of the package and `DEBIAN`, which is removed afterwards. */
  readonly tree: string;
  readonly file: string;
  /** Returns the text of `DEBIAN/control` for an installed size in KiB. */
  readonly control: (kilobytes: number) => string;
  /** xz is smaller, but takes minutes for Chromium. zstd needs Debian 12 or Ubuntu 22.04. */
  readonly compression: 'xz' | 'zstd';
}

/** Builds a Debian package with dpkg-deb. Root owns all files, and equal trees give equal packages. */
export function buildDeb({ tree, file, control, compression }: DebTree): void {
  const size = measureSize(tree);
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  writeFileSync(join(tree, 'DEBIAN/control'), control(size));
  setTimes(tree);
  const packing = compression === 'xz' ? ['-Zxz', '-z1'] : ['-Zzstd', '-z3'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(getReleaseTime()) },
  });
  rmSync(tree, { recursive: true });
}

function measureSize(tree: string): number {
  const bytes = globSync('**/*', { cwd: tree })
    .map((path) => lstatSync(join(tree, path)))
    .filter((stat) => stat.isFile())
    .reduce((sum, { size }) => sum + size, 0);
  return Math.ceil(bytes / 1024);
}

/** dpkg-deb writes the time of each file. */
function setTimes(tree: string): void {
  const time = getReleaseTime();
  for (const path of ['', ...globSync('**/*', { cwd: tree })]) {
    lutimesSync(join(tree, path), time, time);
  }
}
