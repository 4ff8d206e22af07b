import shared from '../../jest.preset.js';

const [swc, options] = shared.transform['^.+\\.ts$'];
const { jsc } = options;
const tsx = {
  ...options,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    transform: { ...jsc.transform, react: { runtime: 'automatic' } },
  },
};

export default {
  ...shared,
  roots: ['<rootDir>/src', '<rootDir>/build'],
  // Components are rendered to text without a browser, so their styles and fonts are replaced.
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: [...shared.moduleFileExtensions, 'tsx'],
  transform: { ...shared.transform, '^.+\\.tsx$': [swc, tsx] },
  moduleNameMapper: {
    '\\.(css|woff2)(\\?inline)?$': '<rootDir>/src/renderer/styles/no-styles.testing.ts',
  },
};
