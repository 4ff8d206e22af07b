export default {
  preset: '../../jest.preset.js',
  testMatch: ['<rootDir>/**/*.spec.mjs'],
  transform: {},
};
