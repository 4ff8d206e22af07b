// A plain window of this Electron's Chromium, for pages that are no part of the desktop.
const { app, BrowserWindow } = require('electron');

void app
  .whenReady()
  .then(() => new BrowserWindow({ width: 1280, height: 1000 }).loadURL('about:blank'));
