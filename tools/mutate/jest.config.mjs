import { join } from 'node:path';
import preset from '../../jest.preset.js';
import rooms from './rooms.mjs';

const { specs, leaveOut = [], globals = {} } = rooms[process.env.MUTATE];

/** Jest in Stryker's copy of a project. */
export default {
  ...preset,
  rootDir: process.cwd(),
  roots: specs.map((folder) => `<rootDir>/${folder}`),
  testPathIgnorePatterns: [...preset.testPathIgnorePatterns, ...leaveOut],
  globals,
  maxWorkers: 1,
  testRunner: join(import.meta.dirname, 'jest-circus.mutate.js'),
};
