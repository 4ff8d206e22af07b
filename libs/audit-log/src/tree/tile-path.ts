import { hashesOfTile, tileWidth } from './tiles.ts';

export interface TilePlace {
  readonly level: number;
  readonly index: number;
  /** 256, or from 1 for a partial tile. */
  readonly width: number;
}

const places = /^tile\/(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/u;

export function parseTilePath(path: string): TilePlace | undefined {
  const [, level = '', groups = '', partial] = places.exec(path) ?? [];
  const index = Number(groups.replaceAll(/[x/]/gu, ''));
  const width = partial === undefined ? hashesOfTile : Number(partial);
  const isOne =
    groups !== '' &&
    !groups.startsWith('x000/') &&
    Number(level) < 64 &&
    Number.isSafeInteger(index) &&
    (partial === undefined || width < hashesOfTile);
  return isOne ? { level: Number(level), index, width } : undefined;
}

/** All tiles of a log, with the partial one at the end of each level. */
export function* tilesOf(size: number): Generator<TilePlace> {
  for (let level = 0, nodes = size; nodes > 0; level += 1) {
    for (let index = 0; index * hashesOfTile < nodes; index += 1) {
      yield { level, index, width: tileWidth(size, level, index) };
    }
    nodes = Math.floor(nodes / hashesOfTile);
  }
}
