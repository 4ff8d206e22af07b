import { beforeAll, describe, expect, it } from '@jest/globals';
import { folderCircles } from './folder-circles.mjs';
import { findingsIn, fullestFolder, rooms, unusedByRoom } from './house.mjs';

const MOST_FILES = 20;
/** What is not mended yet: nothing may be added here, and a line goes with what it excuses. */
const NOT_YET = {
  'apps/service': ['files'],
};
const SHORT_NOT_YET = [
  'libs/api-client/src/shape.ts',
  'apps/service/src/access/break-glass/grant-json.ts',
  'apps/service/src/audit/http/event-cursors.ts',
  'apps/service/src/audit/http/no-such-log.ts',
  'apps/service/src/cli/backup.command.ts',
  'apps/service/src/cli/open-source.ts',
  'apps/service/src/http/query-values.ts',
  'apps/service/src/operations/public-routes.ts',
  'apps/service/src/operations/route-of-request.ts',
  'apps/service/src/reads/public-sdk/repeated-fields.ts',
  'apps/service/src/reads/source-call.ts',
  'apps/service/src/source/foreign-place.ts',
];

const mended = (measure) => rooms().filter((room) => !NOT_YET[room]?.includes(measure));
const found = Object.fromEntries(rooms().map((room) => [room, findingsIn(room)]));

describe('the house', () => {
  it.each(mended('circles'))('has no circle of imports between folders in %s', (room) => {
    expect(found[room].circles).toEqual([]);
  });

  it.each(mended('upward'))('imports downwards only in %s, by its floors.json', (room) => {
    expect(found[room].upward).toEqual([]);
  });

  it.each(mended('short'))('has short files for a reason only in %s', (room) => {
    expect(found[room].short.filter((file) => !SHORT_NOT_YET.includes(`${room}/${file}`))).toEqual(
      [],
    );
  });

  it.each(mended('files'))(`has at most ${MOST_FILES} files in a folder of %s`, (room) => {
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

  it.each(mended('unused'))('finds no file and no export in %s that nobody imports', (room) => {
    expect(unused[room]).toEqual([]);
  });

  it.each(mended('onlyForTests'))(
    'finds that what only tests import in %s has their name',
    (room) => {
      expect(onlyForTests[room]).toEqual([]);
    },
  );
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
