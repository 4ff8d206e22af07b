import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasDisplay } from '../electron-runtime/libraries.mjs';
import { build, install, main, run } from './install.mjs';
import { demoFile } from './running-demo.mjs';

await main(async () => {
  install();
  const words = process.argv.slice(2);
  const isDev = words.includes('--dev');
  const hasDesktop = hasDisplay() && !words.includes('--no-desktop');
  const demo = words.filter((word) => word !== '--no-desktop' && word !== '--dev');
  if (!demo.includes('--ready-file')) demo.push('--ready-file', demoFile);
  const readyFile = demo[demo.indexOf('--ready-file') + 1];
  if (!hasDisplay()) console.log('There is no display: the desktop is not opened.');
  build('service', ...(hasDesktop && !isDev ? ['desktop'] : []));
  const folder = mkdtempSync(join(tmpdir(), 'caregate-start-'));
  const providerFile = join(folder, 'identity-provider.json');
  rmSync(readyFile, { force: true });
  const ended = new AbortController();
  const { signal } = ended;
  const runBeside = (script, ...options) => run(script, options, { signal }).catch(() => {});
  const server = 'libs/testing/identity-provider/src/main.ts';
  const provider = runBeside(server, '--plain-http', '--ready-file', providerFile);
  try {
    const failed = provider.then(() => Promise.reject(new Error('The identity provider ended.')));
    await Promise.race([untilThere(providerFile, signal), failed]);
    // The window closes with the service, but the service keeps running without the window.
    const desktop = [...(isDev ? ['--dev'] : []), 'apps/desktop', `--demo=${readyFile}`];
    if (hasDesktop) {
      void untilThere(readyFile, signal)
        .then(() => runBeside('tools/electron-runtime/main.mjs', ...desktop))
        .catch(() => {});
    }
    const options = ['demo', ...demo, '--identity-provider', providerFile];
    return await run('apps/service/bin/caregate.mjs', options);
  } finally {
    ended.abort();
    await provider;
    rmSync(folder, { recursive: true, force: true });
  }
});

async function untilThere(file, signal) {
  while (!existsSync(file)) await wait(50, undefined, { signal });
}
