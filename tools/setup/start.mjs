import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { displayState } from '../electron-runtime/libraries.mjs';
import { build, install, main, runOnPinnedNode } from './install.mjs';
import { demoFile } from './running-demo.mjs';

await main(async () => {
  await install();
  const options = process.argv.slice(2);
  const wantsDesktop = displayState() === 'display' && !options.includes('--no-desktop');
  const built = await build(wantsDesktop ? ['service', 'desktop'] : ['service']);
  if (built !== 0) {
    return built;
  }
  const demoOptions = options.filter((option) => option !== '--no-desktop');
  if (!demoOptions.includes('--ready-file')) {
    rmSync(demoFile, { force: true });
    demoOptions.push('--ready-file', demoFile);
  }
  const run = wantsDesktop ? demoWithDesktop : demo;
  if (demoOptions.includes('--identity-provider') || options.includes('--help')) {
    return run(demoOptions);
  }
  return withIdentityProvider((file) => run([...demoOptions, '--identity-provider', file]));
});

async function withIdentityProvider(body) {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-start-'));
  const readyFile = join(folder, 'identity-provider.json');
  const ended = new AbortController();
  const provider = runOnPinnedNode(
    'libs/testing/identity-provider/src/main.ts',
    ['--plain-http', '--ready-file', readyFile],
    { signal: ended.signal },
  ).catch((error) => {
    if (!ended.signal.aborted) throw error;
  });
  try {
    await Promise.race([
      untilThere(readyFile, ended.signal),
      provider.then(() => {
        throw new Error('The identity provider of the demo ended.');
      }),
    ]);
    return await body(readyFile);
  } finally {
    ended.abort();
    await provider;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilThere(file, signal) {
  while (!existsSync(file)) {
    await wait(50, undefined, { signal });
  }
}

function demo(options) {
  return runOnPinnedNode('apps/service/bin/caregate.mjs', ['demo', ...options]);
}

/** The window opens once the service is ready and closes with it; closing the window leaves the service running. */
async function demoWithDesktop(options) {
  const ended = new AbortController();
  const window = openDesktop(options[options.indexOf('--ready-file') + 1], ended.signal);
  try {
    return await demo(options);
  } finally {
    ended.abort();
    await window;
  }
}

async function openDesktop(readyFile, signal) {
  try {
    await untilThere(readyFile, signal);
    const app = ['--', 'apps/desktop', `--demo=${readyFile}`];
    const code = await runOnPinnedNode('tools/electron-runtime/main.mjs', app, { signal });
    if (code !== 0) {
      console.error('The desktop could not be opened; the service goes on without it.');
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}
