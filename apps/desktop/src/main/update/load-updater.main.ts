import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { Updater } from './desk-updates.ts';

/** Undefined unless this account may replace the program. The module is loaded only where it is used. */
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
    // The installer for one user puts its uninstaller beside the program, the MSI doesn't.
    return readdirSync(dirname(execPath)).some((name) => name.startsWith('Uninstall '));
  }
  // Caregate.app, which the PKG gives to root.
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
