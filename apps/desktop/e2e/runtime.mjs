import { spawn } from 'node:child_process';
import { findRuntime } from '../../../tools/electron-runtime/find-runtime.mjs';
import { provideLibraries } from '../../../tools/electron-runtime/libraries.mjs';

/**
 * An Electron and a display for the tests: where there is none, an Xvfb is started for each worker, since windows on one
 * display take the focus and the clipboard from each other. As root, missing libraries are installed.
 */
export async function provideRuntime(workers = 1) {
  const { executable } = await findRuntime();
  provideLibraries(executable);
  process.env.DESKTOP_ELECTRON = executable;
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
