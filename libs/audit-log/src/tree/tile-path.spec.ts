import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { parseTilePath, tilesOf } from './tile-path.ts';
import { tilePath } from './tiles.ts';

describe('paths of tiles', () => {
  it.each([
    ['tile/0/000', { level: 0, index: 0, width: 256 }],
    ['tile/0/x001/067', { level: 0, index: 1067, width: 256 }],
    ['tile/1/067.p/17', { level: 1, index: 67, width: 17 }],
    // The example of C2SP tlog-tiles.
    ['tile/0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }],
    ['tile/63/x999/999.p/255', { level: 63, index: 999_999, width: 255 }],
  ])('%s is read', (path, place) => {
    expect(parseTilePath(path)).toEqual(place);
    expect(tilePath(place.level, place.index, place.width)).toBe(path);
  });

  it('are read as they are written', () => {
    const tiles = fc.record({
      level: fc.nat(63),
      index: fc.maxSafeNat(),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(tilePath(tile.level, tile.index, tile.width))).toEqual(tile);
      }),
    );
  });

  it.each([
    '',
    'tile/0',
    'tile/0/',
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/x001/x002',
    'tile/0/001/002',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000.p/',
    'tile/0/000/',
    'tile/0/000\n',
    'tile/entries/000',
    'tile/data/000',
    'tile/../checkpoint',
    'tile/0/x999/x999/x999/x999/x999/999',
    ' tile/0/000',
  ])('%j is none', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });

  it('are those of a log of some size', () => {
    const tiles = [...tilesOf(70_000)];
    expect(tiles.filter(({ level }) => level === 0)).toHaveLength(274);
    expect(tiles.slice(-3)).toEqual([
      { level: 1, index: 0, width: 256 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect([...tilesOf(0)]).toEqual([]);
  });
});
