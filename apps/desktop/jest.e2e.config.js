export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // A worker has a display of its own; on somebody's real display, one window at a time.
  maxWorkers: process.env.DISPLAY ? 1 : 2,
};
