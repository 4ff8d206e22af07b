import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tool = fileURLToPath(new URL('../../../tools/electron-runtime/main.mjs', import.meta.url));

/**
 * An Electron and a display for the tests: where there is none, an Xvfb is started for each worker, since windows on one
 * display take the focus and the clipboard from each other. As root, missing libraries are installed.
 */
export async function provideRuntime(workers = 1) {
  const found = execFileSync(process.execPath, [tool, '--json', '--tests'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { executable, version } = JSON.parse(found);
  process.env.DESKTOP_ELECTRON = executable;
  process.env.DESKTOP_ELECTRON_VERSION = version;
  if (process.platform !== 'linux' || process.env.DISPLAY) return () => {};
  const servers = await Promise.all(Array.from({ length: workers }, startXvfb));
  const displays = servers.map(({ display }) => display);
  [process.env.DISPLAY] = displays;
  process.env.DESKTOP_DISPLAYS = displays.join(' ');
  return () => {
    servers.forEach(({ end }) => end());
    // Whoever asks for a runtime again in this process gets a display that is there.
    delete process.env.DISPLAY;
    delete process.env.DESKTOP_DISPLAYS;
  };
}

/** Gives the display and a function that ends it. */
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
  server.unref();
  server.stdio[3].unref?.();
  return { display: `:${display}`, end: () => server.kill() };
}
