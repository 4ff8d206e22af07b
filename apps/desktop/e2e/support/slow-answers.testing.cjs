// Main answers each call of the page late, by DESKTOP_SLOW_MS: what a test does too early then fails each time.
const { ipcMain } = require('electron');
const { setTimeout: sleep } = require('node:timers/promises');

const slowMs = Number(process.env.DESKTOP_SLOW_MS);
const handle = ipcMain.handle.bind(ipcMain);
ipcMain.handle = (channel, listener) => {
  handle(channel, async (...given) => {
    await sleep(slowMs);
    return listener(...given);
  });
};

// The runtime takes one file only.
require(process.env.DESKTOP_LOADER);
