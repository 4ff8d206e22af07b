export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // One real window at a time: they share a display, and measure nothing well together.
  maxWorkers: 1,
};
