import { existsSync } from 'node:fs';

/** Stryker runs the specs in a copy of this folder further down, where `../../` is another place. */
let folder = new URL('.', import.meta.url);
while (!existsSync(new URL('jest.preset.js', folder))) {
  folder = new URL('..', folder);
}
const { default: preset } = await import(new URL('jest.preset.js', folder).href);

export default {
  ...preset,
  maxWorkers: 1,
  roots: ['<rootDir>/src/access', '<rootDir>/src/operations'],
  globals: { ...preset.globals, onlyEngine: 'SQLite' },
  testPathIgnorePatterns: ['/access/postgres/'],
  testRunner: '<rootDir>/jest-circus.mutate.js',
};
