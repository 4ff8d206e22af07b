import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { findInstalledPackage, createLicencesPlugin } from './build/licences.ts';
import { REQUESTS } from './src/shared/requests.ts';
import manifest from './package.json' with { type: 'json' };

const conditions = ['@caregate/source'];
/**
 * The bundles run on Electron 33 or later. Main's code up to the first window is in one file, and the rest is loaded
 * when it is needed. The preload script is one file, since the sandbox requires that.
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
      // pdf.js with its worker exceeds Vite's limit of 500 kB, but it is loaded only for a print preview.
      chunkSizeWarningLimit: 2000,
      assetsInlineLimit: 0,
      // The code of the first screen is in one file, since each further file costs a round trip to main.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
});
