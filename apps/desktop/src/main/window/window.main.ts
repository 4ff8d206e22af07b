import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import type { Session } from 'electron';
import { APP_ORIGIN } from '../ipc/sender.ts';

export interface WindowParts {
  readonly session: Session;
  readonly preload: string;
  readonly onActive: () => void;
  readonly onGone: () => void;
}

/** Ids of the web contents of our windows: those that may call. */
export const ourContents = new Set<number>();

const light = '#f4f6f8';
const dark = '#14181d';

/** Opens a window with the page in it. Shown when it has something to show. */
export function openWindow({ session, preload, onActive, onGone }: WindowParts): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 860,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Caregate',
    backgroundColor: nativeTheme.shouldUseDarkColors ? dark : light,
    autoHideMenuBar: true,
    webPreferences: {
      session,
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // A spell checker fetches its dictionaries, and would learn names.
      spellcheck: false,
    },
  });
  const { id } = window.webContents;
  ourContents.add(id);
  // The page's title never names a patient: it stays what it is here.
  window.on('page-title-updated', (event) => {
    event.preventDefault();
  });
  window.once('ready-to-show', () => {
    window.show();
  });
  window.webContents.on('input-event', onActive);
  window.webContents.on('render-process-gone', onGone);
  window.once('closed', () => {
    ourContents.delete(id);
  });
  window.setContentProtection(true);
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

export function preloadFile(folder: string): string {
  return join(folder, '../preload/preload.cjs');
}
