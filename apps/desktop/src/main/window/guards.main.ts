import { app, type Session, type WebContents } from 'electron';
import type { LogEvent } from '../log/log-line.ts';
import { APP_ORIGIN } from './sender.ts';

const allowed = [`${APP_ORIGIN}/`, 'data:', 'devtools://'];
// Vite's hot reload uses a WebSocket.
if (import.meta.env?.DEV === true) allowed.push(`${APP_ORIGIN.replace('http:', 'ws:')}/`);

/** Denies pages all permissions, downloads and network requests. */
export function guardSession(
  session: Session,
  log: (event: LogEvent, details?: Record<string, string>) => void,
): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => {
    log('permission-denied', { permission });
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, callback) => {
    const isAllowed = allowed.some((start) => details.url.startsWith(start));
    callback({ cancel: !isAllowed });
  });
}

export function guardAllContents(log: (event: LogEvent) => void): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log));
}

function guardContents(contents: WebContents, log: (event: LogEvent) => void): void {
  contents.setWindowOpenHandler(() => {
    log('window-denied');
    return { action: 'deny' };
  });
  for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate'] as const) {
    contents.on(name as 'will-navigate', (event) => {
      const isReload = event.url === `${APP_ORIGIN}/` && event.url === contents.getURL();
      if (isReload) return;
      event.preventDefault();
      log('navigation-denied');
    });
  }
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    log('window-denied');
  });
}
