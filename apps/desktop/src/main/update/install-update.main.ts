import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import { AppImageUpdater, NsisUpdater, Provider } from 'electron-updater';
import type { ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { answeredByFile } from './answered-by-file.ts';

/** Never resolved by anybody: whatever electron-updater asks of the network is answered below. */
const checkedHost = 'https://checked.invalid/';

/**
 * Has electron-updater replace this program by a package that was checked already. Its own manifest and downloads are left
 * out: its session has no network, and answers every request with that one file, whose SHA-512 it checks once more.
 * With `isUnused` the program is started again, unless somebody is at the desk by then: false, and nothing was replaced.
 * @throws Error where it can't be replaced
 */
export async function installUpdate(
  path: string,
  version: string,
  isUnused: (() => boolean) | undefined,
): Promise<boolean> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  const name = basename(path);
  const file = { url: name, sha512: hash.digest('base64'), size: (await stat(path)).size };
  const releaseDate = new Date().toISOString();
  // What it asks beside these is deprecated, and read only where there are no files.
  const info = { version, files: [file], releaseDate } as unknown as UpdateInfo;
  class CheckedFile extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }
    getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve(info);
    }
    resolveFiles(): ResolvedUpdateFileInfo[] {
      return [{ url: new URL(name, checkedHost), info: file }];
    }
  }
  const updater = process.platform === 'win32' ? new NsisUpdater() : new AppImageUpdater();
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableDifferentialDownload = true;
  // Without a listener an error would end the program; what fails below is thrown as well.
  let failure: Error | undefined;
  updater.on('error', (error) => {
    failure = error;
  });
  let image = process.env['APPIMAGE'];
  updater.on('appimage-filename-updated', (renamed) => {
    image = renamed;
  });
  await answeredByFile(updater.netSession.protocol, path, async () => {
    updater.setFeedURL({ provider: 'custom', updateProvider: CheckedFile });
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true) throw failure ?? new Error('no update');
    await updater.downloadUpdate();
  });
  const restart = isUnused !== undefined;
  if (isUnused?.() === false) return false;
  if (process.platform === 'win32') {
    // Its installer waits for the end of this program, and starts the next.
    if (!updater.install(true, restart)) throw failure ?? new Error('not installed');
  } else {
    // Never started by it: the lock of the one instance is this program's until its end.
    if (!updater.install(true, false)) throw failure ?? new Error('not installed');
    if (restart) app.relaunch({ ...(image !== undefined && { execPath: image }) });
  }
  if (restart) app.quit();
  return true;
}
