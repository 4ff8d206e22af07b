// `node tools/electron-runtime/main.mjs [--dev] APP-FOLDER [ARGUMENTS]`; --dev runs the app from its sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { findRuntime } from './find-runtime.mjs';
import { provideLibraries } from './libraries.mjs';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main(words) {
  const { executable, version, isForTests } = await findRuntime();
  console.error(`Electron ${version}${isForTests ? ', for development and tests only' : ''}`);
  provideLibraries(executable);
  // Chromium doesn't start with its sandbox as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) console.error('Running as root without a sandbox; use an ordinary account for work.');
  const child =
    words[0] === '--dev'
      ? spawnFromSources(executable, words.slice(1), isRoot)
      : spawn(executable, [...(isRoot ? ['--no-sandbox'] : []), ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Builds into its own folder, since the tests run the bundles of `npm run build`. */
function spawnFromSources(executable, [folder, ...words], isRoot) {
  const require = createRequire(resolve(folder, 'package.json'));
  const electronVite = join(dirname(require.resolve('electron-vite')), '../bin/electron-vite.js');
  const output = 'dist/dev';
  mkdirSync(join(folder, output), { recursive: true });
  const manifest = { ...require('./package.json'), main: 'main/main.js' };
  writeFileSync(join(folder, output, 'package.json'), JSON.stringify(manifest));
  const options = ['dev', '--watch', '--outDir', output, '--entry', output];
  if (isRoot) options.push('--noSandbox');
  return spawn(process.execPath, [electronVite, ...options, '--', ...words], {
    cwd: folder,
    env: { ...process.env, ELECTRON_EXEC_PATH: executable },
    stdio: 'inherit',
  });
}
