export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/set-up.mjs',
  globalTeardown: '<rootDir>/e2e/tear-down.mjs',
  // Two windows at a time, each on an Xvfb of its own: on one display they take focus and clipboard from each other.
  maxWorkers: process.platform === 'linux' && !process.env.DISPLAY ? 2 : 1,
};
