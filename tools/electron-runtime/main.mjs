import { spawn } from 'node:child_process';
import { describe, findRuntime } from './find-runtime.mjs';
import {
  debianDependencies,
  displayState,
  installLine,
  installPackages,
  missingLibraries,
  packagesFor,
} from './libraries.mjs';

const usage = `node tools/electron-runtime/main.mjs [options] [-- <app folder> [arguments]]

Finds an Electron to run, prints which, and runs the app with it when one is named.
  --json               print { executable, version, origin } instead, and run nothing
  --xvfb               Xvfb is needed too where there is no display (tests)
  --install-libraries  install missing system libraries (Debian, Ubuntu; root only)
  --release            refuse a runtime that is for development and tests only
  --debian-depends     print the Debian packages it needs as a package says them, and run nothing`;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main(args) {
  const dashes = args.indexOf('--');
  const options = dashes === -1 ? args : args.slice(0, dashes);
  const app = dashes === -1 ? [] : args.slice(dashes + 1);
  const known = [
    '--json',
    '--xvfb',
    '--install-libraries',
    '--release',
    '--debian-depends',
    '--help',
  ];
  if (options.includes('--help') || options.some((option) => !known.includes(option))) {
    console.log(usage);
    return options.includes('--help') ? 0 : 2;
  }
  if (options.includes('--debian-depends')) {
    console.log(debianDependencies().join(', '));
    return 0;
  }
  const runtime = await findRuntime({ release: options.includes('--release') });
  console.error(describe(runtime));
  provideLibraries(runtime, options);
  if (options.includes('--json')) console.log(JSON.stringify(runtime));
  return app.length === 0 || options.includes('--json') ? 0 : run(runtime, app);
}

function provideLibraries(runtime, options) {
  const xvfb = options.includes('--xvfb') && displayState() !== 'display';
  const names = packagesFor(missingLibraries(runtime.executable), { xvfb });
  if (names.length === 0) return;
  if (!options.includes('--install-libraries') || process.getuid?.() !== 0) {
    throw new Error(
      `Electron needs system libraries that are missing. Install them (as root):\n  ${installLine(names)}`,
    );
  }
  installPackages(names);
  const still = packagesFor(missingLibraries(runtime.executable), { xvfb });
  if (still.length > 0) throw new Error(`Still missing: ${still.join(' ')}`);
}

function run(runtime, app) {
  if (displayState() !== 'display') {
    throw new Error('There is no display to open a window on (DISPLAY is not set).');
  }
  return new Promise((resolve, reject) => {
    const child = spawn(runtime.executable, [...sandboxFlag(), ...app], { stdio: 'inherit' });
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', passOn);
    process.on('SIGTERM', passOn);
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}

/** Chromium doesn't start sandboxed as root. Anyone else gets the sandbox, always. */
function sandboxFlag() {
  if (process.getuid?.() !== 0) return [];
  console.error(
    'Running as root: Chromium runs without its sandbox. Use an ordinary account for real work.',
  );
  return ['--no-sandbox'];
}
