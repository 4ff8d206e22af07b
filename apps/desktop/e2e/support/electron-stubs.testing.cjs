/** Loaded before the app: a key store as a clinic's computer has one, a wall clock that a test sets forward, a network's DNS. */
const { join } = require('node:path');
const { safeStorage } = require('electron');

/** Another computer's key store has another key. */
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

// Playwright's own loader (see `holdBack`): the runtime takes one file only.
require(join(require.resolve('playwright-core/package.json'), '../lib/server/electron/loader.js'));
