import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { affectedRuns, ownRuns } from './affected.mjs';
import { root } from './install.mjs';
import { uses } from './programs.mjs';

describe('what a spec file needs', () => {
  it.each([
    ['libs/audit-log/src/postgres/postgres-log.spec.ts', /from '@caregate\/postgres'/u, true],
    ['apps/service/src/source/store/import/import.spec.ts', /from '@caregate\/postgres'/u, true],
    ['libs/audit-log/src/tree/tree.spec.ts', /from '@caregate\/postgres'/u, false],
    ['apps/desktop/e2e/print/printer.e2e.spec.ts', /\/cups\.testing\.ts'/u, true],
    ['apps/service/src/cli/rights/person.command.spec.ts', /'pdfto(?:text|ppm)'/u, true],
  ])('is seen in it and in what it imports: %s, %s', (file, wanted, isNeeded) => {
    expect(uses(join(root, file), wanted)).toBe(isNeeded);
  });
});

describe('the runs of Jest', () => {
  it('are one for each configuration that the paths belong to', () => {
    const paths = ['libs/domain/src', 'apps/service/e2e/tls.e2e.spec.ts', 'apps/service/src/http'];
    const runs = ownRuns(paths.map((path) => join(root, path)));
    expect(runs.map(({ config, needsBuild }) => [config, needsBuild])).toEqual([
      ['libs/domain/jest.config.js', false],
      ['apps/service/jest.e2e.config.js', true],
      ['apps/service/jest.config.js', false],
    ]);
  });

  it('are none for a path that is in no package, or not there', () => {
    for (const path of ['docs', 'libs/domain/src/nothing.spec.ts']) {
      expect(() => ownRuns([join(root, path)])).toThrow(`No spec file and no folder`);
    }
  });

  const related = (...files) => [
    '--passWithNoTests',
    '--findRelatedTests',
    ...files.map((file) => join(root, file)),
  ];

  it('after a change are those that it can make fail', () => {
    const file = 'apps/service/src/access/principal.ts';
    const runs = affectedRuns([file]);
    expect(runs).toContainEqual({
      config: 'apps/service/jest.config.js',
      arguments_: related(file),
    });
    expect(runs).toContainEqual({
      config: 'apps/service/jest.e2e.config.js',
      needsBuild: true,
      arguments_: [],
    });
    const [desktop, ...more] = endToEndOfDesktop(runs);
    expect(desktop).toMatch(/tasks\.e2e\.spec\.ts$/u);
    expect(more).toEqual([]);
  });

  const endToEndOfDesktop = (runs) =>
    runs.find(({ config }) => config === 'apps/desktop/jest.e2e.config.js').arguments_;

  it.each([
    [['src/renderer/screens/insurance/insurance.tsx'], ['screens', 'look/states']],
    [['src/renderer/print/use-print.ts', 'src/main/print/print.ts'], ['print']],
    [
      ['src/main/lock/lock.ts', 'e2e/look/zoom.e2e.spec.ts'],
      ['session', 'people', 'look/zoom.e2e.spec.ts'],
    ],
    // What every room uses.
    [['src/renderer/screens/insurance/insurance.tsx', 'src/bridge/app-state.ts'], []],
    [['e2e/support/states.testing.ts'], []],
  ])('after a change of the desktop are those that see it: %j', (files, seenBy) => {
    const runs = affectedRuns(files.map((file) => `apps/desktop/${file}`));
    expect(endToEndOfDesktop(runs)).toEqual(
      seenBy.map((each) => join(root, 'apps/desktop/e2e', each)),
    );
  });

  it('after a change of a library are all of what depends on it', () => {
    const runs = affectedRuns(['libs/domain/src/user/user.dto.ts']);
    for (const config of ['apps/service/jest.config.js', 'apps/desktop/jest.e2e.config.js']) {
      const run = runs.find((each) => each.config === config);
      expect(run.arguments_.filter((word) => word !== '--passWithNoTests')).toEqual([]);
    }
  });

  it('after a change of more than code are all of the package', () => {
    const runs = affectedRuns(['apps/service/package.json']);
    expect(runs).toContainEqual({
      config: 'apps/service/jest.config.js',
      arguments_: ['--passWithNoTests'],
    });
  });
});
