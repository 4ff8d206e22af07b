import { BrowserWindow, nativeTheme, type Session } from 'electron';
import type { StateChange, ZoomStep } from '../../shared/app-state.ts';
import { APP_ORIGIN } from './sender.ts';

interface WindowParts {
  readonly session: Session;
  readonly preload: string;
  readonly zoom: number;
  readonly contentProtection: boolean;
  readonly onZoom: (step: Exclude<ZoomStep, 'reset'>) => void;
  readonly onActive: () => void;
  readonly onGone: () => void;
  /** On Windows, a logoff or shutdown emits no quit event. */
  readonly onSessionEnd: () => void;
}

let mainWindow: BrowserWindow | undefined;

const light = '#f4f6f8';
const dark = '#14181d';

export function openWindow(parts: WindowParts): void {
  const { session, preload, zoom, contentProtection, onZoom, onActive, onGone, onSessionEnd } =
    parts;
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
      // A spell checker would download dictionaries and learn patient names.
      spellcheck: false,
      zoomFactor: zoom / 100,
    },
  });
  mainWindow = window;
  // The window title never names a patient.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  window.webContents.on('input-event', onActive);
  // This is the zoom by Ctrl and the mouse wheel; the page handles the zoom keys.
  window.webContents.on('zoom-changed', (_event, direction) => onZoom(direction));
  let crashedAt = -Infinity;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    onGone();
    // A page that crashes while it loads must not be reloaded in an endless loop.
    const wait = performance.now() - crashedAt < 10_000 ? 10_000 : 0;
    crashedAt = performance.now();
    setTimeout(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    }, wait);
  });
  window.on('session-end', onSessionEnd);
  window.once('closed', () => {
    mainWindow = undefined;
  });
  window.setContentProtection(contentProtection);
  void window.loadURL(`${APP_ORIGIN}/`);
}

export function isMainWindow(senderId: number): boolean {
  return mainWindow?.webContents.id === senderId;
}

export function sendToPage(change: StateChange): void {
  mainWindow?.webContents.send('caregate:state', change);
}

export function focusWindow(): void {
  if (mainWindow?.isMinimized() === true) mainWindow.restore();
  mainWindow?.focus();
}

export function zoomWindow(zoom: number): void {
  mainWindow?.webContents.setZoomFactor(zoom / 100);
}

export function isWindowVisible(): boolean {
  return mainWindow?.isVisible() === true && !mainWindow.isMinimized();
}
