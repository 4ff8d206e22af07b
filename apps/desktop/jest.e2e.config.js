export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // Two workers, each with its own Xvfb, since windows on one display share the focus and the clipboard.
  maxWorkers: process.platform === 'linux' && !process.env.DISPLAY ? 2 : 1,
};
