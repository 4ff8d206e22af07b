import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const launchTimeoutMs = 30_000;
const probe = here('./shell/probe.cjs');

/** An app to launch: its folder, one for what it keeps, and what is in its page once it can be used. */
export interface App {
  readonly folder: string;
  readonly userData: string;
  readonly usable: string;
}

/** The Electron of the tests, and a display: Xvfb is started where there is none. */
export async function provideElectron(): Promise<{
  executable: string;
  version: string;
  end: () => void;
}> {
  const tests = new URL('../../../../apps/desktop/e2e/runtime.mjs', import.meta.url).href;
  const { provideRuntime } = (await import(tests)) as {
    provideRuntime: () => Promise<() => void>;
  };
  const end = await provideRuntime();
  const { DESKTOP_ELECTRON: executable = '', DESKTOP_ELECTRON_VERSION: version = '' } = process.env;
  return { executable, version, end };
}

/** Builds the desktop as it ships and copies it, so that a build beside the bench doesn't change what is measured. */
export function buildDesktop(folder: string): App {
  const nx = createRequire(import.meta.url).resolve('nx/bin/nx.js');
  const built = spawnSync(process.execPath, [nx, 'build', 'desktop'], {
    cwd: here('../../../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('the desktop could not be built');
  const copy = join(folder, 'desktop');
  cpSync(here('../../../../apps/desktop/dist'), join(copy, 'dist'), { recursive: true });
  copyFileSync(here('../../../../apps/desktop/package.json'), join(copy, 'package.json'));
  return { folder: copy, userData: join(folder, 'desktop-data'), usable: 'form input' };
}

/** Builds the bare shell: the same runtime, window and React, an empty page. */
export async function buildShell(folder: string): Promise<App> {
  const copy = join(folder, 'shell');
  mkdirSync(copy);
  await build({
    entryPoints: [here('./shell/page.ts')],
    outfile: join(copy, 'page.js'),
    bundle: true,
    minify: true,
    target: 'chrome130',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  copyFileSync(here('./shell/index.html'), join(copy, 'index.html'));
  copyFileSync(here('./shell/main.cjs'), join(copy, 'main.cjs'));
  writeFileSync(join(copy, 'package.json'), '{"name":"shell","version":"0.0.0","main":"main.cjs"}');
  return { folder: copy, userData: join(folder, 'shell-data'), usable: '#root > *' };
}

/** As root Chromium doesn't start with its sandbox; both apps are measured the same way. */
export const sandboxFlag: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export interface Launched {
  readonly pid: number;
  /** Milliseconds from the spawn until the window is shown and can be used. */
  readonly usableAfterMs: number;
  readonly stop: () => Promise<void>;
}

/** Spawns an app with the probe in it. An app that ends before it can be used is an error with what it printed. */
export async function launch(executable: string, app: App): Promise<Launched> {
  const arguments_ = ['-r', probe, ...sandboxFlag, app.folder, `--user-data-dir=${app.userData}`];
  const began = performance.timeOrigin + performance.now();
  const child = spawn(executable, arguments_, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BENCH_USABLE: app.usable },
  });
  const usableAt = await printed(child, /^usable at ([\d.]+)$/mu);
  return {
    pid: child.pid ?? 0,
    usableAfterMs: Number(usableAt) - began,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), launchTimeoutMs);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = pattern.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(
        new Error(`Electron ended with ${String(code)} before its page could be used: ${text}`),
      );
    });
  });
}

/** MB (10^6 bytes) of proportional set size, of a process and all below it: shared pages are divided among sharers. */
export function memoryOf(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/u.test(one))) {
    // The parent is the second field after the command's closing bracket, which may itself hold anything.
    const stat = readOrNothing(`/proc/${name}/stat`);
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isBelow(parents.get(one)));
  return [...parents.keys()]
    .filter((one) => isBelow(one))
    .map((one) => readOrNothing(`/proc/${String(one)}/smaps_rollup`))
    .map((text) => Number(/^Pss:\s+(\d+) kB$/mu.exec(text)?.[1] ?? 0) * 1024)
    .reduce((sum, bytes) => sum + bytes / 1e6, 0);
}

/** A process may end while it is read. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
