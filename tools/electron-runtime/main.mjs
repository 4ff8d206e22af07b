import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findRuntime } from './find-runtime.mjs';
import { displayState, installLine, installPackages, missingPackages } from './libraries.mjs';

const usage = `node tools/electron-runtime/main.mjs [options] [-- APP-FOLDER [ARGUMENTS]]

Finds an Electron, prints which, and runs the app with it when one is named.
  --json     print { executable, version, origin } and run nothing
  --tests    also install what is missing (Debian, Ubuntu; as root), Xvfb too where there is no display
  --release  refuse a runtime that is for development and tests only
  --dev      run the app from its sources: an edit of the page shows at once, one of main restarts it`;
const origins = {
  override: 'named by ELECTRON_OVERRIDE_DIST_PATH',
  installed: 'installed',
  download: 'downloaded now',
  registry: 'a copy from the package registry, for development and tests only',
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const boolean = { type: 'boolean' };
  const options = { json: boolean, tests: boolean, release: boolean, dev: boolean, help: boolean };
  const { values, positionals: app } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const runtime = await findRuntime(values);
  const { executable, version, origin } = runtime;
  console.error(`Electron ${version} (${origins[origin]}): ${executable}`);
  const missing = missingPackages(executable, values.tests);
  if (missing.length > 0) {
    if (!values.tests || process.getuid?.() !== 0) {
      throw new Error(`Electron needs packages that are missing:\n  ${installLine(missing)}`);
    }
    installPackages(missing);
  }
  if (values.json) console.log(JSON.stringify(runtime));
  return values.json || app.length === 0 ? 0 : run(executable, app, values.dev);
}

function run(executable, app, dev) {
  if (displayState() !== 'display') {
    throw new Error('There is no display to open a window on (DISPLAY is not set).');
  }
  // Chromium doesn't start with its sandbox as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) console.error('Running as root without a sandbox; use an ordinary account for work.');
  return new Promise((end, reject) => {
    const words = isRoot ? ['--no-sandbox', ...app] : app;
    const child = dev
      ? spawnFromSources(executable, app, isRoot)
      : spawn(executable, words, { stdio: 'inherit' });
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', passOn);
    process.on('SIGTERM', passOn);
    child.on('error', reject);
    child.on('exit', (code, signal) => end(code ?? (signal === null ? 1 : 130)));
  });
}

/** Builds into its own folder, since the tests run the bundles of `npm run build`. */
function spawnFromSources(executable, [folder, ...words], isRoot) {
  const require = createRequire(resolve(folder, 'package.json'));
  const electronVite = join(dirname(require.resolve('electron-vite')), '../bin/electron-vite.js');
  const output = 'dist/dev';
  mkdirSync(join(folder, output), { recursive: true });
  writeFileSync(
    join(folder, output, 'package.json'),
    JSON.stringify({ ...require('./package.json'), main: 'main/main.js' }),
  );
  const options = ['dev', '--watch', '--outDir', output, '--entry', output];
  if (isRoot) options.push('--noSandbox');
  return spawn(process.execPath, [electronVite, ...options, '--', ...words], {
    cwd: folder,
    env: { ...process.env, ELECTRON_EXEC_PATH: executable },
    stdio: 'inherit',
  });
}
