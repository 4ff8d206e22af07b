import { app } from 'electron';
import { focusWindow, sendToPage } from '../window/window.main.ts';
import { LINK_SCHEME, findLink, receiveLink } from './deep-link.ts';
import type { Phase } from '../../shared/app-state.ts';
import type { LogEvent } from '../log/log-line.ts';

export function takeLinks(parts: {
  readonly phase: () => Phase;
  readonly log: (event: LogEvent) => void;
}): { readonly onSecondStart: (args: readonly string[]) => void } {
  const { phase, log } = parts;
  // Chromium reads no switches after "--".
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  const receive = (text: string): void => {
    const link = receiveLink(text, phase());
    log('target' in link ? 'link-asked' : 'link-refused');
    sendToPage({ link });
  };
  const receiveFrom = (args: readonly string[]): void => {
    const link = findLink(args);
    if (link !== undefined) receive(link);
  };
  app.on('open-url', (event, link) => {
    event.preventDefault();
    receive(link);
  });
  app.once('browser-window-created', (_event, window) => {
    // The page can receive links once it has loaded.
    window.webContents.once('did-finish-load', () => receiveFrom(process.argv.slice(1)));
  });
  return {
    onSecondStart: (args) => {
      focusWindow();
      receiveFrom(args.slice(1));
    },
  };
}
