export default {
  preset: '../../jest.preset.js',
  roots: ['<rootDir>/src', '<rootDir>/testing'],
  globalSetup: '<rootDir>/testing/set-up.mjs',
  globalTeardown: '<rootDir>/testing/tear-down.mjs',
};
