import { execFileSync } from 'node:child_process';

/** The long tier (`npm run test:long`) runs the specs that end in `.long.spec.ts`, and nothing else does. */
const isLong = process.env.TIER === 'long';

/** What the tests draw by chance, they draw by this (libs/testing/seeded): the commit, unless it is set. */
process.env.SEED ??= commit();

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return '0'; // Not a checkout.
  }
}

/** The spec files that need a program which this machine lacks, as `npm test` has said. */
const leftOut = (process.env.LEFT_OUT ?? '').split('\n').filter((path) => path !== '');

/** What every project's Jest shares: TypeScript through SWC as real ES modules, packages of the workspace from their source. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['@caregate/source', 'node', 'node-addons'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          experimental: { keepImportAttributes: true },
          parser: { syntax: 'typescript', decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
      },
    ],
  },
  testMatch: [`<rootDir>/**/*${isLong ? '.long' : ''}.spec.ts`],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    ...(isLong ? [] : ['\\.long\\.spec\\.']),
    ...leftOut,
  ],
  passWithNoTests: isLong || leftOut.length > 0,
  maxWorkers: isLong ? 1 : 2,
  // Ends what hangs, and decides nothing: many times what the longest test takes, so that a slow machine changes no result.
  testTimeout: 900_000,
  // The same for a worker that ends: Jest's own half a second is short beside other work, and it says that tests leak.
  workerGracefulExitTimeout: 120_000,
};
