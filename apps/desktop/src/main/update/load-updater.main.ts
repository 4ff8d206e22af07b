import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { Updater } from './desk-updates.ts';

/** Returns undefined unless the current user may replace the program files. electron-updater is loaded only if it is needed. */
export async function loadUpdater(): Promise<Updater | undefined> {
  if (!app.isPackaged || !canReplace()) return undefined;
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.logger = null;
  autoUpdater.disableWebInstaller = true;
  return autoUpdater;
}

function canReplace(): boolean {
  const { execPath, platform, env } = process;
  if (platform === 'win32') {
    // The per-user installer puts an uninstaller into the folder of the program; the MSI package doesn't.
    return readdirSync(dirname(execPath)).some((name) => name.startsWith('Uninstall '));
  }
  // This is Caregate.app, which belongs to root after an installation from the PKG.
  if (platform === 'darwin') return isWritable(join(execPath, '../../..'));
  const image = env['APPIMAGE'];
  return image !== undefined && isWritable(image) && isWritable(dirname(image));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
