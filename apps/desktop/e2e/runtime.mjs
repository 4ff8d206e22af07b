import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tool = fileURLToPath(new URL('../../../tools/electron-runtime/main.mjs', import.meta.url));

/** An Electron and a display for the tests: Xvfb is started where there is none. As root, missing libraries are installed. */
export async function provideRuntime() {
  const found = execFileSync(process.execPath, [tool, '--json', '--xvfb', '--install-libraries'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { executable, version } = JSON.parse(found);
  process.env.DESKTOP_ELECTRON = executable;
  process.env.DESKTOP_ELECTRON_VERSION = version;
  return process.platform === 'linux' && !process.env.DISPLAY ? startXvfb() : () => {};
}

/** Gives a function that ends it. */
async function startXvfb() {
  const server = spawn(
    'Xvfb',
    // Not begun anew when its last window closes: the next one could come in between.
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const display = await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}`)));
    let read = '';
    server.stdio[3].on('data', (chunk) => {
      read += chunk;
      if (read.includes('\n')) resolve(read.trim());
    });
  });
  process.env.DISPLAY = `:${display}`;
  server.unref();
  server.stdio[3].unref?.();
  return () => server.kill();
}
