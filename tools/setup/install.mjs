import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const pinnedNode = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');

function childOptions() {
  return {
    cwd: root,
    env: {
      // Short programs start faster.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    },
  };
}

/** Runs `npm ci` in a folder unless its last one had the same package-lock.json. */
export function install(folder = root, ...flags) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  const stamp = join(folder, 'node_modules/.caregate-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('Installing packages (once; one to five minutes) …');
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  execFileSync('npm', words, { cwd: folder, stdio: 'inherit', shell: isWindows });
  writeFileSync(stamp, digest);
}

/** Folder of packages that `npm test` doesn't need: for releases, mutation tests and the long tests. */
export const long = join(root, 'tools/setup/long');

export function installLong() {
  install(long, '--legacy-peer-deps');
}

/** Builds projects and their dependencies. @throws Error with the output if that fails */
export function build(...projects) {
  console.log(`Building the ${projects.join(' and the ')} (minutes at first, then seconds) …`);
  const words = ['run-many', '-t', 'build', '-p', ...projects, '--output-style=static'];
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const options = { ...childOptions(), encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(pinnedNode, [nx, ...words], options);
  if (status !== 0) throw new Error(stdout + stderr);
}

/** Runs a script on the pinned Node until it ends. @returns its exit code */
export function run(script, words, { flags = [], signal } = {}) {
  return new Promise((resolve, reject) => {
    const options = { ...childOptions(), signal, stdio: 'inherit' };
    const child = spawn(pinnedNode, [...flags, join(root, script), ...words], options);
    // Ctrl-C in a terminal reaches the child, too; wait for it.
    const stay = () => {};
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', stay);
    process.on('SIGTERM', passOn);
    child.on('error', reject);
    child.on('exit', (code) => {
      process.off('SIGINT', stay);
      process.off('SIGTERM', passOn);
      resolve(code ?? 1);
    });
  });
}

export async function main(body) {
  endWithNpm();
  try {
    process.exitCode = await body();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Ends this process when its parent ends, since npm's shell doesn't forward signals. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
