/**
 * Loaded before the app. Stubs the key store of a clinic's computer, a wall clock that a test can set forward, and DNS.
 */
const { join } = require('node:path');
const { safeStorage } = require('electron');

/** Another computer has another key in its key store. */
const mask = process.env.DESKTOP_KEY_STORE === 'another' ? 0xa7 : 0x5a;
const flip = (bytes) => Buffer.from(bytes.map((byte) => byte ^ mask));

Object.assign(safeStorage, {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString: (text) => flip(Buffer.from(text)),
  decryptString: (sealed) => flip(sealed).toString(),
});

const now = Date.now;
let passed = 0;
Date.now = () => now() + passed;
globalThis.advanceClock = (milliseconds) => {
  passed += milliseconds;
};

// Electron loads only one file, so this file loads Playwright's own loader too (see `holdBack`).
require(join(require.resolve('playwright-core/package.json'), '../lib/server/electron/loader.js'));
