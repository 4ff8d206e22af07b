import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seed } from '@caregate/seeded/seed';
import type { Desktop } from './desktop.testing.ts';
import { look } from './desktop.testing.ts';
import { endLooks, layoutFaults, picture, resize } from './layout.testing.ts';
import type { Size } from './layout.testing.ts';
import { plain } from './state-walk.testing.ts';
import { allLooks, violations } from './violations.testing.ts';
import type { Contrast } from './violations.testing.ts';

const usual: Size = { width: 1280, height: 800, zoom: 1 };
const windows = [
  { width: 1600, height: 900 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
] as const;
/** There and back: from each to the next, size or zoom changes, and not both. */
const sizes: readonly Size[] = [
  ...windows.map((size) => ({ ...size, zoom: 1 })),
  ...windows.toReversed().map((size) => ({ ...size, zoom: 2 })),
];
/** A zoom has every letter shaped anew: each language begins with the size that the last one ended with. */
const layouts = (['es', 'ar', 'en'] as const).flatMap((language, turn) =>
  (turn % 2 === 0 ? sizes : sizes.toReversed()).map((size) => ({ language, size })),
);
/** Set KEEP_LAYOUTS to a folder to look at each. */
const pictures = process.env['KEEP_LAYOUTS'];

/**
 * What is wrong with the state as it is now, with where it is wrong; it is in English and of the usual size afterwards.
 *
 * @param looks all of them: axe in four and the layout in eighteen. Or one of each, the layout's chosen by the seed:
 *   18 seeds in turn, or 18 states, have all of them.
 */
export async function faultsIn(
  desktop: Desktop,
  name: string,
  looks: 'all' | { readonly place: number },
  contrast: Contrast = 'color-contrast',
): Promise<readonly string[]> {
  const { page } = desktop;
  const found = await violations(page, looks === 'all' ? allLooks : [plain], contrast);
  const chosen = looks === 'all' ? layouts : [layouts[(seed + looks.place) % layouts.length]!];
  return [...found, ...(await layoutFaultsIn(desktop, name, chosen))];
}

async function layoutFaultsIn(
  desktop: Desktop,
  name: string,
  chosen: typeof layouts,
): Promise<string[]> {
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  const { page } = desktop;
  // The pointer of an earlier state may rest on a value, which then shows its raw text.
  await page.mouse.move(2, 2);
  const found = new Map<string, string[]>();
  let shown: string = plain.language;
  for (const { language, size } of chosen) {
    if (language !== shown) await look(page, { ...plain, language });
    shown = language;
    await resize(desktop, size);
    const at = `${language} ${String(size.width)} x ${String(size.zoom)}`;
    for (const fault of await layoutFaults(page)) {
      found.set(fault, [...(found.get(fault) ?? []), at]);
    }
    if (pictures !== undefined) {
      const file = `${name} ${at}.png`.replaceAll(/[^\w.]+/gu, '-');
      await picture(desktop, join(pictures, file));
    }
  }
  await endLooks(page);
  await look(page, plain);
  await resize(desktop, usual);
  return [...found].map(([fault, places]) => `${fault}: ${places.join(', ')}`);
}
