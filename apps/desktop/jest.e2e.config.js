export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  // Far more than any test takes: a start of Electron on a busy machine is part of many. No test is about time.
  testTimeout: 240_000,
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // One real window at a time: they share a display, and measure nothing well together.
  maxWorkers: 1,
  // A test that failed in the middle may leave a process behind; the run ends all the same.
  forceExit: true,
};
