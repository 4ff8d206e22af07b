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
  testMatch: ['<rootDir>/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  maxWorkers: 2,
  // Ends what hangs, and decides nothing: many times what the longest test takes, so that a slow machine changes no result.
  testTimeout: 900_000,
  // The same for a worker that ends: Jest's own half a second is short beside other work, and it says that tests leak.
  workerGracefulExitTimeout: 120_000,
};
