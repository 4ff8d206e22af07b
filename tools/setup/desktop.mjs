import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDisplay } from '../electron-runtime/libraries.mjs';
import { build, install, main, run } from './install.mjs';
import { demoFile, enrolBeside } from './running-demo.mjs';

await main(async () => {
  if (!hasDisplay()) {
    throw new Error('There is no display to open the desktop on (DISPLAY is not set).');
  }
  install();
  build('desktop');
  const folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-'));
  const ready = join(folder, 'ready.json');
  try {
    const hasDemo = await enrolBeside(demoFile, ready);
    if (!hasDemo) {
      console.log('No demo runs here (npm start): the desktop asks for the address of a service.');
    }
    const options = [...(hasDemo ? [`--demo=${ready}`] : []), ...process.argv.slice(2)];
    return await run('tools/electron-runtime/main.mjs', ['apps/desktop', ...options]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
