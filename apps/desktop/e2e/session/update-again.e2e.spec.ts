import { expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { trackProcess } from '../support/processes.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const desktop = fileURLToPath(new URL('../../', import.meta.url));
const root = join(desktop, '../..');
const packageName = 'caregate-desktop_1.1.0_linux_x86_64.AppImage';

const folder = temporaryFolder();

/** Stands in for the program: an AppImage as far as electron-updater can tell, which is asked to replace it four times, once by its own version. */
const program = `import { app } from 'electron';
import { readFileSync, writeFileSync } from 'node:fs';
Object.defineProperty(app, 'isPackaged', { value: true });
Object.defineProperty(process, 'resourcesPath', { value: import.meta.dirname });
void app.whenReady().then(async () => {
  const told = [];
  const { installUpdate } = await import('./install/install-update.main.js');
  for (const [version, isUnused] of [['1.1.0', () => false], ['1.0.0', undefined], ['1.1.0', () => false], ['1.1.0', undefined]]) {
    try {
      told.push(await installUpdate('${packageName}', version, isUnused));
    } catch (error) {
      told.push(String(error));
    }
    told.push(readFileSync(process.env.APPIMAGE, 'utf8'));
  }
  writeFileSync('told.json', JSON.stringify(told));
  app.exit();
});
`;

/** Only an AppImage is replaced without an installer of its own. */
const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux(
  'an update that twice had to wait for somebody, and once failed, is installed by the next try',
  async () => {
    const vite = join(desktop, 'node_modules/vite/bin/vite.js');
    const source = 'src/main/update/install-update.main.ts';
    const words = [vite, 'build', '--ssr', source, '--outDir', join(folder, 'install')];
    await promisify(execFile)(process.execPath, words, { cwd: desktop });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'cache'));
    const installed = join(folder, 'Caregate.AppImage');
    writeFileSync(installed, 'before', { mode: 0o755 });
    // It is started once when it is in its place, to end at once.
    const after = '#!/bin/sh\n';
    writeFileSync(join(folder, packageName), after);
    writeFileSync(join(folder, 'app-update.yml'), 'updaterCacheDirName: caregate\n');
    writeFileSync(join(folder, 'main.js'), program);
    const manifest = { name: 'caregate', version: '1.0.0', type: 'module', main: 'main.js' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));

    const started = spawn(
      process.env['DESKTOP_ELECTRON']!,
      [folder, `--user-data-dir=${join(folder, 'data')}`, '--no-sandbox'],
      {
        cwd: folder,
        env: { ...process.env, APPIMAGE: installed, XDG_CACHE_HOME: join(folder, 'cache') },
        stdio: 'ignore',
      },
    );
    trackProcess('started', started.pid);
    await once(started, 'exit');
    trackProcess('ended', started.pid);
    const told: unknown = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'));
    expect(told).toEqual([
      ...[false, 'before', 'Error: no update', 'before', false, 'before'],
      ...[true, after],
    ]);
  },
);
