import preset from '../../jest.preset.js';

export default {
  ...preset,
  testMatch: preset.testMatch.map((pattern) => pattern.replace(/ts$/u, 'mjs')),
  transform: {},
};
