import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { displayState } from '../electron-runtime/libraries.mjs';
import { build, install, main, runOnPinnedNode } from './install.mjs';
import { demoFile, enrolBeside } from './running-demo.mjs';

await main(async () => {
  if (displayState() !== 'display') {
    throw new Error('There is no display to open the desktop on (DISPLAY is not set).');
  }
  await install();
  const built = await build(['desktop']);
  if (built !== 0) return built;
  const options = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-'));
  const ready = join(folder, 'ready.json');
  try {
    if (await enrolBeside(demoFile, ready)) {
      options.unshift(`--demo=${ready}`);
    } else {
      console.log('No demo runs here (npm start): the desktop asks for the address of a service.');
    }
    const app = ['--', 'apps/desktop', ...options];
    return await runOnPinnedNode('tools/electron-runtime/main.mjs', app);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
