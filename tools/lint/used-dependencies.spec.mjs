import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { packagesOfWorkspace, root } from './packages.mjs';
import { unusedDependencies } from './used-dependencies.mjs';

/** What is needed though no source, configuration or script of its package names it, and why. */
const NEEDED_OTHERWISE = {
  '@caregate/api-client: axios': 'its transport for axios is given an instance and imports none',
  'caregate: oxlint-tsgolint': 'the rules of oxlint that need types',
  'caregate: @stryker-mutator/jest-runner': "Stryker's test runner, named `jest` there",
};

const service = join(root, 'apps/service');
const unusedIn = (own) => unusedDependencies([{ folder: service, own: { name: 'x', ...own } }]);

describe('what a package.json declares', () => {
  it('is used, whichever package of the workspace it is', () => {
    expect(unusedDependencies(packagesOfWorkspace()).toSorted()).toEqual(
      Object.keys(NEEDED_OTHERWISE).toSorted(),
    );
  });

  it.each([
    ['what nothing imports', { dependencies: { 'left-pad': '1.3.0' } }, ['x: left-pad']],
    ['what only specs import', { dependencies: { canonicalize: '5.1.0' } }, ['x: canonicalize']],
    [
      'types of what nothing imports',
      { devDependencies: { '@types/d3': '7.4.3' } },
      ['x: @types/d3'],
    ],
    ['a program that no script runs', { devDependencies: { knip: '6.40.0' } }, ['x: knip']],
  ])('is unused: %s', (_what, own, unused) => {
    expect(unusedIn(own)).toEqual(unused);
  });

  it.each([
    ['what the product imports', { dependencies: { pino: '10.4.0' } }],
    ['what the product resolves', { dependencies: { 'swagger-ui-dist': '5.35.0' } }],
    ['a peer of what it imports', { dependencies: { axios: '1.21.1' } }],
    ['what only specs import', { devDependencies: { '@caregate/seeded': '0.0.0' } }],
    ['types of what it imports', { devDependencies: { '@types/pg': '8.23.1' } }],
    [
      'a program that a script runs',
      { scripts: { look: 'knip .' }, devDependencies: { knip: '6.40.0' } },
    ],
  ])('is used: %s', (_what, own) => {
    expect(unusedIn(own)).toEqual([]);
  });
});
