import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import { AppImageUpdater, NsisUpdater, Provider } from 'electron-updater';
import type { ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';

/** Never resolved: every request is answered below. */
const checkedHost = 'https://checked.invalid/';

/** electron-updater gets the verified package for every request, and checks its SHA-512. @throws Error if it can't replace */
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
  // The other fields are deprecated.
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
  // Without a listener an error would end the program.
  let failure: Error | undefined;
  updater.on('error', (error) => {
    failure = error;
  });
  let image = process.env['APPIMAGE'];
  updater.on('appimage-filename-updated', (renamed) => {
    image = renamed;
  });
  const { protocol } = updater.netSession;
  protocol.handle(
    'https',
    () => new Response(Readable.toWeb(createReadStream(path)) as ReadableStream),
  );
  try {
    updater.setFeedURL({ provider: 'custom', updateProvider: CheckedFile });
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true) throw failure ?? new Error('no update');
    await updater.downloadUpdate();
  } finally {
    // A scheme can't be handled twice, and a delayed update comes here again.
    protocol.unhandle('https');
  }
  const restart = isUnused !== undefined;
  if (isUnused?.() === false) return false;
  if (process.platform === 'win32') {
    // The installer waits for this program to end.
    if (!updater.install(true, restart)) throw failure ?? new Error('not installed');
  } else {
    // Not started by the updater: the single-instance lock is ours until the end.
    if (!updater.install(true, false)) throw failure ?? new Error('not installed');
    if (restart) app.relaunch({ ...(image !== undefined && { execPath: image }) });
  }
  if (restart) app.quit();
  return true;
}
