import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** A part of a screen: where it is in the mock and at the desk, by selectors. */
export interface Region {
  readonly mock: string;
  readonly desk: string;
  /** Edges that the data doesn't move: left, top, right, bottom, as read from left to right. */
  readonly edges?: string;
}

type Box = Readonly<Record<'l' | 't' | 'r' | 'b', number>>;
interface Pair {
  readonly name: string;
  readonly mock: Box | undefined;
  readonly desk: Box | undefined;
  readonly edges: string;
}

/** How far an edge may be from where it is drawn, in px. */
const edgeBound = 16;
const folder = fileURLToPath(new URL('../../reports/mocks/', import.meta.url));

/**
 * How a screen differs from its mock: regions that are missing, elsewhere or of another colour, and how much of the
 * whole has the drawn ground. Texts are not compared: they are other people's. Where something differs, both pictures
 * are kept beside each other.
 */
export async function differences(
  { mock, desk }: { readonly mock: Page; readonly desk: Page },
  name: string,
  {
    regions,
    ground: groundBound = 0.75,
  }: { readonly regions: Readonly<Record<string, Region>>; readonly ground?: number },
): Promise<readonly string[]> {
  const drawn = await boxesOf(mock, regions, 'mock');
  const shown = await boxesOf(desk, regions, 'desk');
  const isMirrored = await desk.evaluate(() => document.dir === 'rtl');
  const pairs = Object.entries(regions).map(([region, { edges = 'ltrb' }]): Pair => ({
    ...{ name: region, mock: drawn[region], desk: shown[region] },
    edges: isMirrored ? mirrored(edges) : edges,
  }));
  const pictures = { mock: await pictureOf(mock), desk: await pictureOf(desk) };
  const { colours, ground, both } = await mock.evaluate(compareInPage, { pictures, pairs });
  const found = [
    ...pairs.flatMap((pair) => misplaced(pair)),
    ...pairs.flatMap((pair, place) => {
      const [drawnAs, shownAs] = colours[place] ?? [];
      return drawnAs === shownAs
        ? []
        : [`${pair.name} is ${shownAs ?? 'absent'}, drawn ${drawnAs ?? 'nowhere'}`];
    }),
    ...(ground < groundBound ? [`${(100 * ground).toFixed(0)} % has the drawn ground`] : []),
  ];
  if (found.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/\W+/gu, '-')}.png`);
  writeFileSync(file, both, 'base64');
  return [...found, `both are in ${file}`];
}

const mirrored = (edges: string): string =>
  Array.from(edges, (edge) => ({ l: 'r', r: 'l' })[edge] ?? edge).join('');

function misplaced({ name, mock, desk, edges }: Pair): string[] {
  if (mock === undefined) return [`${name} is not in the mock`];
  if (desk === undefined) return [`${name} is missing`];
  return (['l', 't', 'r', 'b'] as const)
    .filter((edge) => edges.includes(edge) && Math.abs(mock[edge] - desk[edge]) > edgeBound)
    .map((edge) => `${name}: ${edge} at ${String(desk[edge])}, drawn at ${String(mock[edge])}`);
}

async function pictureOf(page: Page): Promise<string> {
  return (await page.screenshot({ animations: 'disabled' })).toString('base64');
}

function boxesOf(
  page: Page,
  regions: Readonly<Record<string, Region>>,
  side: 'mock' | 'desk',
): Promise<Record<string, Box | undefined>> {
  const selectors = Object.entries(regions).map(([name, region]) => [name, region[side]] as const);
  return page.evaluate((of) => {
    const boxes = of.map(([name, selector]) => {
      const { left, top, right, bottom } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      const [l = 0, t = 0, r = 0, b = 0] = [left, top, right, bottom].map(Math.round);
      return [name, r > l && b > t ? { l, t, r, b } : undefined] as const;
    });
    return Object.fromEntries(boxes);
  }, selectors);
}

/** Runs in the page: the ground of each region in both pictures, how much of both is alike, and both as one. */
async function compareInPage({
  pictures,
  pairs,
}: {
  pictures: Record<'mock' | 'desk', string>;
  pairs: readonly Pair[];
}): Promise<{ colours: (string | undefined)[][]; ground: number; both: string }> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const drawn = await Promise.all(
    [pictures.mock, pictures.desk].map(async (png) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${png}`;
      await picture.decode();
      return picture;
    }),
  );
  const { width, height } = drawn[1]!;
  canvas.width = 2 * width;
  canvas.height = height;
  for (const [place, picture] of drawn.entries()) context.drawImage(picture, place * width, 0);

  /** The commonest colour of a part of a picture; by steps of four, which no eye sees. */
  const groundOf = (place: number, { l, t, r, b }: Box): string | undefined => {
    const [x, y] = [Math.max(0, l), Math.max(0, t)];
    const [w, h] = [Math.min(r, width) - x, Math.min(b, height) - y];
    if (w < 1 || h < 1) return undefined;
    const { data } = context.getImageData(place * width + x, y, w, h);
    const counts = new Map<number, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = ((data[at]! >> 2) << 16) | ((data[at + 1]! >> 2) << 8) | (data[at + 2]! >> 2);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const [colour] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    return `#${(colour << 2).toString(16).padStart(6, '0')}`;
  };
  const colours = pairs.map(({ mock, desk }) =>
    [mock, desk].map((box, place) => box && groundOf(place, box)),
  );

  const cell = 20;
  let alike = 0;
  let all = 0;
  for (let t = 0; t + cell <= height; t += cell) {
    for (let l = 0; l + cell <= width; l += cell) {
      const box = { l, t, r: l + cell, b: t + cell };
      if (groundOf(0, box) === groundOf(1, box)) alike += 1;
      all += 1;
    }
  }
  context.lineWidth = 2;
  context.strokeStyle = 'magenta';
  for (const { mock, desk } of pairs) {
    for (const [place, box] of [mock, desk].entries()) {
      if (box) context.strokeRect(place * width + box.l, box.t, box.r - box.l, box.b - box.t);
    }
  }
  return { colours, ground: alike / all, both: canvas.toDataURL().split(',')[1]! };
}
