export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // One window at a time: of two at once, each on a display of its own, one hung in a walk over the screens.
  maxWorkers: 1,
};
