import { beforeAll, describe, expect, it } from '@jest/globals';
import { folderCircles } from './folder-circles.mjs';
import { circlesIn, forbiddenArrows, fullestFolder, rooms, unusedByRoom } from './house.mjs';
import { packagesOfWorkspace, root } from './packages.mjs';

const MOST_FILES = 20;

describe('the house', () => {
  const packages = packagesOfWorkspace().filter(({ folder }) => folder !== root);

  it('has packages that depend on those below them only', () => {
    expect(forbiddenArrows(packages)).toEqual([]);
  });

  it.each([
    ['domain', 'dependencies', '@caregate/api-client'],
    ['service', 'dependencies', '@caregate/desktop'],
    ['service', 'devDependencies', '@caregate/bench'],
    ['api-client', 'dependencies', '@caregate/postgres'],
    ['desktop', 'dependencies', '@caregate/sample-data'],
  ])('would find an arrow of %s, in its %s, to %s', (from, kind, to) => {
    const changed = packages.map(({ own }) =>
      own.nx.name === from ? { own: { ...own, [kind]: { [to]: '0.1.0' } } } : { own },
    );
    expect(forbiddenArrows(changed)).toContain(`@caregate/${from} -> ${to}`);
  });

  it.each(rooms())('has no circle of imports between folders in %s', (room) => {
    expect(circlesIn(room)).toEqual([]);
  });

  it.each(rooms())(`has at most ${MOST_FILES} files in a folder of %s`, (room) => {
    expect(fullestFolder(room).files).toBeLessThanOrEqual(MOST_FILES);
  });
});

describe('knip', () => {
  let unused;
  let onlyForTests;

  beforeAll(() => {
    unused = unusedByRoom();
    onlyForTests = unusedByRoom({ production: true });
  });

  it.each(['.', ...rooms()])(
    'finds no file, export or dependency in %s that nobody uses',
    (room) => {
      expect(unused[room]).toEqual([]);
    },
  );

  it.each(['.', ...rooms()])('finds that what only tests use in %s is named as that', (room) => {
    expect(onlyForTests[room]).toEqual([]);
  });
});

describe('circles between folders', () => {
  const arrows = (...pairs) => pairs.map(([from, to]) => ({ from, to }));

  it.each([
    ['siblings', arrows(['a/x.ts', 'b/x.ts'], ['b/y.ts', 'a/y.ts']), '.', ['a/', 'b/']],
    [
      'three, further down',
      arrows(
        ['s/a/x.ts', 's/b/x.ts'],
        ['s/b/x.ts', 's/c/x.ts'],
        ['s/c/d/x.ts', 's/a/x.ts'],
        ['s/c/x.ts', 's/c/d/x.ts'],
      ),
      's',
      ['a/', 'b/', 'c/'],
    ],
    [
      'a folder and a file above it',
      arrows(['x.ts', 'a/x.ts'], ['a/y.ts', 'x.ts']),
      '.',
      ['a/', 'x.ts'],
    ],
  ])('are found: %s', (_what, imports, folder, points) => {
    expect(folderCircles(imports)).toEqual([{ folder, points }]);
  });

  it.each([
    ['one way', arrows(['a/x.ts', 'b/x.ts'], ['a/y.ts', 'c/x.ts'], ['b/x.ts', 'c/x.ts'])],
    ['files of one folder', arrows(['a/x.ts', 'a/y.ts'], ['a/y.ts', 'a/x.ts'])],
    ['what is outside', arrows(['a/x.ts', '../b/x.ts'])],
  ])('are none: %s', (_what, imports) => {
    expect(folderCircles(imports)).toEqual([]);
  });
});
