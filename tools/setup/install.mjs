import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Node's compile cache, which makes short programs start faster. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled');
export const pinnedNode = join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
const oldest = [20, 19];

/** Runs `npm ci` unless the last one had the same package-lock.json. */
export async function install() {
  requireNode();
  const lock = lockOf(root);
  if (!lock.isInstalled() || !existsSync(pinnedNode)) {
    console.log('Installing packages (once; one to five minutes) …');
    const npm = process.env.npm_execpath;
    const arguments_ = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const code = npm?.endsWith('.js')
      ? await run(process.execPath, [npm, ...arguments_])
      : await run('npm', arguments_, { shell: process.platform === 'win32' });
    if (code !== 0) {
      throw new Error(`npm ci ended with code ${code}; its own message is above.`);
    }
    lock.installed();
  }
}

/** Returns the file with the hash of the lockfile from which a folder was installed. */
function lockOf(folder) {
  const stamp = join(folder, 'node_modules', '.caregate-installed');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  return {
    isInstalled: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted,
    installed: () => writeFileSync(stamp, wanted),
  };
}

/** Folder of packages that `npm test` doesn't need: for releases, mutation tests and the long tests. */
export const long = join(root, 'tools/setup/long');

export function installLong() {
  const lock = lockOf(long);
  if (lock.isInstalled()) return;
  const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...flags], {
    cwd: long,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  lock.installed();
}

/** Builds projects and their dependencies. Prints the output only if it fails. */
export async function build(projects) {
  console.log(`Building the ${projects.join(' and the ')} (seconds, unless something changed) …`);
  const output = [];
  const words = ['run-many', '-t', 'build', '-p', projects.join(','), '--output-style=static'];
  const code = await runOnPinnedNode('node_modules/nx/dist/bin/nx.js', words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (text) => output.push(text),
  });
  if (code !== 0) {
    process.stderr.write(output.join(''));
  }
  return code;
}

export function nx(...words) {
  return runOnPinnedNode('node_modules/nx/dist/bin/nx.js', [...words, '--output-style=static']);
}

export function runJest(arguments_, options) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  return run(pinnedNode, [...flags, jest, ...arguments_], options);
}

export function runOnPinnedNode(script, arguments_, options = {}) {
  return run(pinnedNode, [join(root, script), ...arguments_], options);
}

function run(command, arguments_, { onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const bin = join(root, 'node_modules', '.bin');
    const child = spawn(command, arguments_, {
      cwd: root,
      stdio: 'inherit',
      ...options,
      env: {
        NODE_COMPILE_CACHE: compileCache,
        ...process.env,
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        ...options.env,
      },
    });
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    // Ctrl-C in a terminal reaches the child, too; wait for it.
    const stay = () => {};
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', stay);
    process.on('SIGTERM', passOn);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', stay);
      process.off('SIGTERM', passOn);
      resolve(code ?? (signal === null ? 1 : 130));
    });
  });
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    throw new Error(
      `Caregate's set-up needs Node ${oldest.join('.')} or later; this is ${process.versions.node}.`,
    );
  }
}

export async function main(body) {
  endWithNpm();
  try {
    process.exitCode = await body();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
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

export function projectFolders() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces
    .map((pattern) => pattern.replace(/\/\*$/u, ''))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}
