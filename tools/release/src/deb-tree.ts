import { execFileSync } from 'node:child_process';
import { globSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getReleaseTime } from './workspace.ts';

interface DebTree {
  /** Folder with all files of the package and `DEBIAN`, which is removed afterwards. */
  readonly tree: string;
  readonly into: string;
  readonly control: URL;
  /** Values for the words in capitals of `control`. */
  readonly values: { readonly PROGRAM: string; readonly VERSION: string };
  /** xz is smaller, but takes minutes for Chromium. zstd needs Debian 12 or Ubuntu 22.04. */
  readonly compression: readonly string[];
}

/** Builds a Debian package. Root owns all files, and equal trees give equal packages. @returns the package's file */
export function buildDeb({ tree, into, control, values, compression }: DebTree): string {
  const ARCHITECTURE = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const text = fillIn(control, { ...values, ARCHITECTURE, KILOBYTES: String(measureSize(tree)) });
  writeFile(join(tree, 'DEBIAN/control'), text);
  const file = join(into, `${values.PROGRAM}_${values.VERSION}_${ARCHITECTURE}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The time of the package, and of each file that is newer.
    env: { ...process.env, SOURCE_DATE_EPOCH: String(getReleaseTime()) },
  });
  rmSync(tree, { recursive: true });
  return file;
}

/** Replaces words in capitals by their values. */
export function fillIn(template: URL, values: Readonly<Record<string, string>>): string {
  return readFileSync(template, 'utf8').replaceAll(
    /\b[A-Z]{4,}\b/gu,
    (word) => values[word] ?? word,
  );
}

export function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function measureSize(tree: string): number {
  const bytes = globSync('**/*', { cwd: tree })
    .map((path) => lstatSync(join(tree, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  return Math.ceil(bytes / 1024);
}
