import { join } from 'node:path';
import preset from '../../jest.preset.js';
import rooms from './rooms.mjs';

const { specs, leaveOut = [], globals = {} } = rooms[process.env.MUTATE];

export default {
  ...preset,
  rootDir: process.cwd(),
  roots: specs.map((folder) => `<rootDir>/${folder}`),
  testPathIgnorePatterns: [...preset.testPathIgnorePatterns, ...leaveOut],
  globals,
  maxWorkers: 1,
  testRunner: join(import.meta.dirname, 'jest-circus.mutate.js'),
};
