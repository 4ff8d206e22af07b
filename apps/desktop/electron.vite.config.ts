import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { findInstalledPackage, createLicencesPlugin } from './build/licences.ts';
import { REQUESTS } from './src/shared/requests.ts';
import manifest from './package.json' with { type: 'json' };

const conditions = ['@caregate/source'];
/**
 * The oldest runtime that runs these bundles is Electron 33. What main needs before its window shows is one file, the rest
 * is loaded by need; the preload is one file (sandbox).
 */
const node = { target: 'node20', minify: true, externalizeDeps: false };

export default defineConfig({
  main: {
    resolve: { conditions: [...conditions, 'node'] },
    define: { __PINNED_ELECTRON__: JSON.stringify(manifest.devDependencies.electron) },
    plugins: [createLicencesPlugin([findInstalledPackage('electron')])],
    build: { ...node, outDir: 'dist/main', lib: { entry: 'src/main/main.ts' } },
  },
  preload: {
    resolve: { conditions },
    define: { __CHANNELS__: JSON.stringify(Object.keys(REQUESTS)) },
    plugins: [createLicencesPlugin()],
    build: {
      ...node,
      outDir: 'dist/preload',
      lib: { entry: 'src/preload/preload.ts', formats: ['cjs'] },
    },
  },
  renderer: {
    resolve: { conditions: [...conditions, 'module', 'browser'] },
    plugins: [react(), createLicencesPlugin()],
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      target: 'chrome130',
      outDir: 'dist/renderer',
      minify: true,
      modulePreload: { polyfill: false },
      // pdf.js with its worker is larger than the usual 500, and loaded when something is printed.
      chunkSizeWarningLimit: 2000,
      assetsInlineLimit: 0,
      // What the first screen needs comes in one file: each more is a way to main and back.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
});
