import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { displayState } from '../electron-runtime/libraries.mjs';
import { build, install, main, runOnPinnedNode } from './install.mjs';
import { demoFile } from './running-demo.mjs';

await main(async () => {
  await install();
  const words = process.argv.slice(2);
  const options = words.filter((word) => word !== '--no-desktop' && word !== '--dev');
  const hasDisplay = displayState() === 'display';
  const isWanted = !words.includes('--no-desktop');
  const hasDesktop = hasDisplay && isWanted;
  const isDev = words.includes('--dev');
  if (isWanted && !hasDisplay) console.log('There is no display: the desktop is not opened.');
  const built = await build(hasDesktop && !isDev ? ['service', 'desktop'] : ['service']);
  if (built !== 0) return built;
  const given = options.indexOf('--ready-file');
  const readyFile = given === -1 ? demoFile : options[given + 1];
  const demo = ['demo', ...options, ...(given === -1 ? ['--ready-file', demoFile] : [])];
  if (options.includes('--help')) return runOnPinnedNode('apps/service/bin/caregate.mjs', demo);
  const folder = mkdtempSync(join(tmpdir(), 'caregate-start-'));
  const providerFile = join(folder, 'identity-provider.json');
  rmSync(readyFile, { force: true });
  const ended = new AbortController();
  const { signal } = ended;
  const runBeside = (script, arguments_) =>
    runOnPinnedNode(script, arguments_, { signal }).catch((error) => {
      if (!signal.aborted) throw error;
    });
  const provider = runBeside('libs/testing/identity-provider/src/main.ts', [
    '--plain-http',
    '--ready-file',
    providerFile,
  ]);
  try {
    await Promise.race([untilThere(providerFile, signal), failAfter(provider)]);
    // The window closes with the service, but the service keeps running without the window.
    const desktop = [...(isDev ? ['--dev'] : []), '--', 'apps/desktop', `--demo=${readyFile}`];
    if (hasDesktop) {
      void untilThere(readyFile, signal)
        .then(() => runBeside('tools/electron-runtime/main.mjs', desktop))
        .catch(() => {});
    }
    const identityProvider = ['--identity-provider', providerFile];
    return await runOnPinnedNode('apps/service/bin/caregate.mjs', [...demo, ...identityProvider]);
  } finally {
    ended.abort();
    await provider;
    rmSync(folder, { recursive: true, force: true });
  }
});

async function failAfter(provider) {
  await provider;
  throw new Error('The identity provider of the demo ended.');
}

async function untilThere(file, signal) {
  while (!existsSync(file)) await wait(50, undefined, { signal });
}
