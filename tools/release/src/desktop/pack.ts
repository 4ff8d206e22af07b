import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { findRuntime } from '../../../electron-runtime/find-runtime.mjs';
import { installLong, long } from '../../../setup/install.mjs';
import { getBuiltVersion, getPinnedElectron, getReleaseTime, root } from '../workspace.ts';
import { createBuilderConfig } from './builder-config.ts';
import { getNames } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { findReleaseProblems } from './release-check.ts';

/** The functions of electron-builder that are used here. `npm ci` doesn't install it. */
interface ElectronBuilder {
  readonly Arch: Readonly<Record<string, number>>;
  readonly Platform: { current(): { createTarget(targets: string[], arch: unknown): unknown } };
  build(options: object): Promise<string[]>;
}

export interface PackOptions {
  readonly kind: Kind;
  readonly into: string;
  readonly version?: string;
}

export async function packFolder(options: PackOptions): Promise<string> {
  const { out } = await pack(options, ['dir']);
  return join(out, getUnpackedFolder());
}

export async function packDesktop(options: PackOptions): Promise<string[]> {
  const { out, made } = await pack(options, []);
  return made.map((file) => {
    const to = join(options.into, relative(out, file));
    cpSync(file, to);
    return to;
  });
}

/** @throws Error if the desktop isn't built, or if a release isn't possible */
async function pack(
  { kind, into, version }: PackOptions,
  targets: string[],
): Promise<{ out: string; made: string[] }> {
  const isRelease = kind === 'release';
  const runtime = await findRuntime({ isRelease });
  const { platform, env } = process;
  const pinned = getPinnedElectron();
  const problems = isRelease ? findReleaseProblems({ runtime, pinned, platform, env }) : [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const work = join(into, 'work');
  const app = join(work, 'app');
  const out = join(work, 'out');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  stageApp(app, getDesktopVersion(kind, version));
  const electron = { folder: getRuntimeFolder(runtime.executable), version: runtime.version };
  const config = createBuilderConfig({ kind, electron, output: out, env });
  // Sets the times of files in archives, so that builds are reproducible.
  process.env['SOURCE_DATE_EPOCH'] ??= String(getReleaseTime());
  installLong();
  const builder = createRequire(join(long, 'package.json'))('electron-builder') as ElectronBuilder;
  const arch = builder.Arch[process.arch];
  const made = await builder.build({
    projectDir: app,
    config,
    publish: 'never',
    targets: builder.Platform.current().createTarget(targets, arch),
  });
  return { out, made };
}

/** Returns `0.1.0` for a release, else `0.1.0-development+g1a2b3c4d`, so that every screen shows the kind of build. */
export function getDesktopVersion(kind: Kind, version = getBuiltVersion()): string {
  return kind === 'release' ? version : version.replace(/(?=\+|$)/u, `-${kind}`);
}

function stageApp(folder: string, version: string): void {
  const built = join(root, 'apps/desktop/dist');
  if (!existsSync(join(built, 'main/main.js'))) {
    throw new Error('The desktop is not built. Run npm run build first.');
  }
  cpSync(built, join(folder, 'dist'), { recursive: true });
  const manifest = {
    name: 'caregate-desktop',
    version,
    description: 'Front desk of a clinic',
    author: 'Caregate <security@caregate.example>',
    homepage: 'https://caregate.example',
    license: 'MIT',
    type: 'module',
    main: 'dist/main/main.js',
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function getRuntimeFolder(executable: string): string {
  // Electron.app/Contents/MacOS/Electron
  return process.platform === 'darwin' ? join(executable, '../../../..') : dirname(executable);
}

function getUnpackedFolder(): string {
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin') return `mac${arch}`;
  return `${process.platform === 'win32' ? 'win' : 'linux'}${arch}-unpacked`;
}

export function getExecutablePath(folder: string, kind: Kind): string {
  const { product, program } = getNames(kind);
  if (process.platform === 'darwin') {
    return join(folder, `${product}.app/Contents/MacOS/${program}`);
  }
  return join(folder, process.platform === 'win32' ? `${program}.exe` : program);
}
